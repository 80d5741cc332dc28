// Rules of SKILL.md files and of the folders that hold them.
import { folder } from "./values.mjs";

export const SKILLS = [
  {
    code: "SK-01",
    severity: "error",
    says: "A SKILL.md is UTF-8, and at most 1 MiB (`maxBytes`).",
    cure: "Save the file as UTF-8; move what is long into files beside it.",
    example: ({ Skill }) => Skill.parse(new Uint8Array([0xff])),
  },
  {
    code: "SK-02",
    severity: "error",
    says: "The first line is `---`, and a later line of the same form closes the front matter; no other language is read.",
    cure: "Begin the file with `---`, the fields, and `---`; take a word behind the dashes away.",
    example: ({ Skill }) => Skill.parse("---js\nname: a\n---\nBody"),
  },
  {
    code: "SK-03",
    severity: "error",
    says: "The front matter is YAML 1.2: one mapping, at most 64 KiB, 2,000 nodes and 16 levels, without tags, and without aliases of collections.",
    cure: "Correct the YAML at the place that is named; quote a value with a colon.",
    example: ({ Skill }) => Skill.parse("---\n- a list\n---\nBody"),
  },
  {
    code: "SK-04",
    severity: "error",
    says: "A mapping has each key once.",
    cure: "Remove one of the two.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\nname: b\ndescription: Reads files.\n---\nBody"),
  },
  {
    code: "SK-05",
    severity: "error; a warning where the folder's name can be taken",
    says: "A skill has a `name`.",
    cure: "Add `name`, the name of the folder.",
    example: ({ Skill }) => Skill.parse("---\ndescription: Reads files.\n---\nBody"),
  },
  {
    code: "SK-06",
    severity: "warning; an error where it could lead out of its folder",
    says: "A name has 1 to 64 lower-case letters and digits, with single hyphens inside.",
    cure: "Choose a name as `pdf-tables`.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: My Skill\ndescription: Reads files.\n---\nBody"),
  },
  {
    code: "SK-07",
    severity: "warning",
    says: "The name is that of the skill's folder.",
    cure: "Rename the folder or the skill.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads files.\n---\nBody", { dirName: "b" }),
  },
  {
    code: "SK-08",
    severity: "warning",
    says: "A name does not contain `claude` or `anthropic`, which Anthropic's upload refuses.",
    cure: "Choose another name if the skill is to be uploaded there.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: claude-helper\ndescription: Reads files.\n---\nBody"),
  },
  {
    code: "SK-09",
    severity: "warning",
    says: "A description contains no tags, as `<b>`.",
    cure: "Write plain text: the description goes into a prompt that is marked up with tags.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads <b>files</b>.\n---\nBody"),
  },
  {
    code: "SK-10",
    severity: "error",
    says: "A skill has a `description`: a model chooses by it.",
    cure: "Say what the skill does and when to take it.",
    example: ({ Skill }) => Skill.parse("---\nname: a\n---\nBody"),
  },
  {
    code: "SK-11",
    severity: "warning",
    says: "A description has at most 1,024 characters.",
    cure: "Shorten it, and move the rest into the body.",
    example: ({ Skill }) =>
      Skill.parse(`---\nname: a\ndescription: ${"long ".repeat(300)}\n---\nBody`),
  },
  {
    code: "SK-12",
    severity: "warning",
    says: "`license` and `compatibility` are texts that are not empty; compatibility has at most 500 characters.",
    cure: "Write a short text, or leave the field out.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads files.\nlicense: [MIT]\n---\nBody"),
  },
  {
    code: "SK-13",
    severity: "warning",
    says: "`metadata` is a mapping of names to scalars.",
    cure: "Write `metadata:` and its pairs below it, indented.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads files.\nmetadata: 1\n---\nBody"),
  },
  {
    code: "SK-14",
    severity: "warning",
    says: "`allowed-tools` is a list or one text with balanced parentheses, and given once.",
    cure: "Write `allowed-tools: Read, Bash(git add:*)`.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads files.\nallowed-tools: Bash(git\n---\nBody"),
  },
  {
    code: "SK-15",
    severity: "warning",
    says: "Every field is one of the specification or of a known client.",
    cure: "Correct the field's name, or move it into `metadata`.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads files.\ndescripton: x\n---\nBody"),
  },
  {
    code: "SK-16",
    severity: "warning",
    says: "The YAML was repaired: a text with a colon was not quoted.",
    cure: "Quote the value of the field that is named: other clients refuse the file.",
    example: ({ Skill }) => Skill.parse("---\nname: a\ndescription: Use when: reading\n---\nBody"),
  },
  {
    code: "SK-17",
    severity: "warning",
    says: "The body is not blank, and has at most 500 lines and 20,000 characters.",
    cure: "Write the instructions; move details into files beside it, which are read when they are needed.",
    example: ({ Skill }) => Skill.parse("---\nname: a\ndescription: Reads files.\n---\n"),
  },
  {
    code: "SK-18",
    severity: "warning",
    says: "`mode` is `direct` or `sandbox`.",
    cure: "Write one of the two, or leave the field out.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads files.\nmode: fast\n---\nBody"),
  },
  {
    code: "SK-19",
    severity: "warning",
    says: "The file of a skill is called `SKILL.md`.",
    cure: "Rename `skill.md`: other clients do not find it.",
    from: "apex-parts/node",
    example: async ({ scanSkills }) => {
      const root = await folder({ "a/skill.md": "---\nname: a\ndescription: Reads.\n---\nBody" });
      return scanSkills([root]);
    },
  },
  {
    code: "SK-20",
    severity: "warning",
    says: "Of several skills of one name the first is taken.",
    cure: "Rename or remove one of the two files that are named.",
    from: "apex-parts/node",
    example: async ({ scanSkills }) => {
      const skill = "---\nname: a\ndescription: Reads.\n---\nBody";
      return scanSkills([await folder({ "a/SKILL.md": skill, "b/SKILL.md": skill })]);
    },
  },
  {
    code: "SK-21",
    severity: "error",
    says: "The folders and files of skills can be read.",
    cure: "Correct the path, or the permissions of the file.",
    from: "apex-parts/node",
    example: ({ scanSkills }) => scanSkills([{ path: "/no/such/folder", scope: "custom" }]),
  },
  {
    code: "SK-22",
    severity: "warning",
    says: "A search stays within its limits: depth, folders, skills. The message says what was left out.",
    cure: "Search a smaller folder, or raise `maxDepth`, `maxDirs` or `maxSkills`.",
    from: "apex-parts/node",
    example: async ({ scanSkills }) => {
      const skill = "---\nname: a\ndescription: Reads.\n---\nBody";
      const root = await folder({ "a/SKILL.md": skill, "b/SKILL.md": skill });
      return scanSkills([root], { maxSkills: 1 });
    },
  },
  {
    code: "SK-23",
    severity: "warning",
    says: "Links in a folder of skills stay inside it.",
    cure: "Copy the skill into the folder, or add the place that the link names as a root of its own.",
    from: "apex-parts/node",
    example: async ({ scanSkills }) => {
      const { symlink } = await import("node:fs/promises");
      const [root, other] = [await folder({ "a.txt": "" }), await folder({ "SKILL.md": "" })];
      await symlink(other, `${root}/linked`, "junction");
      return scanSkills([root]);
    },
  },
  {
    code: "SK-24",
    severity: "warning",
    says: "The description and the body have no characters that are not seen; they are removed.",
    cure: "Look at the file as code points, and remove them: they can carry words that only a model reads.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads files.\n---\nOpen it.\u{e0041}"),
  },
].map((rule) => ({ source: "skills", ...rule }));
