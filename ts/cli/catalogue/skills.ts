// Rules of SKILL.md files and of the folders that hold them.
import type { Entry, Rule } from "./rule.ts";
import { folder } from "./values.ts";

const ENTRIES: Entry[] = [
  {
    code: "SK-01",
    severity: "error",
    says: "A SKILL.md is UTF-8, and at most 1 MiB (`maxBytes`).",
    cure: "Save the file as UTF-8; move long content into files beside it.",
    example: ({ Skill }) => Skill.parse(new Uint8Array([0xff])),
  },
  {
    code: "SK-02",
    severity: "error",
    says: "The first line is `---`, and a later line of the same form closes the front matter; a language after `---` is not allowed.",
    cure: "Begin the file with `---`, the fields, and `---`; remove any word after the dashes.",
    example: ({ Skill }) => Skill.parse("---js\nname: a\n---\nBody"),
  },
  {
    code: "SK-03",
    severity: "error",
    says: "The front matter is YAML 1.2: one mapping, at most 64 KiB, 2,000 nodes and 16 levels, without tags, and without aliases of collections.",
    cure: "Correct the YAML at the given place; quote values that contain a colon.",
    example: ({ Skill }) => Skill.parse("---\n- a list\n---\nBody"),
  },
  {
    code: "SK-04",
    severity: "error",
    says: "A mapping contains each key once.",
    cure: "Remove one of the two keys.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\nname: b\ndescription: Reads files.\n---\nBody"),
  },
  {
    code: "SK-05",
    severity: "error; a warning if the folder's name can be used",
    says: "A skill has a `name`.",
    cure: "Add `name`, the name of the folder.",
    example: ({ Skill }) => Skill.parse("---\ndescription: Reads files.\n---\nBody"),
  },
  {
    code: "SK-06",
    severity: "warning; an error if it could lead out of its folder",
    says: "A name has 1 to 64 lower-case letters and digits, with single hyphens inside.",
    cure: "Choose a name such as `pdf-tables`.",
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
    says: "A description contains no tags such as `<b>`.",
    cure: "Write plain text: the description goes into a prompt that is marked up with tags.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads <b>files</b>.\n---\nBody"),
  },
  {
    code: "SK-10",
    severity: "error",
    says: "A skill has a `description`, by which a model chooses it.",
    cure: "Say what the skill does and when to use it.",
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
    says: "`license` and `compatibility` are non-empty strings; `compatibility` has at most 500 characters.",
    cure: "Write a short string, or leave the field out.",
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
    says: "`allowed-tools` is a list or one string with balanced parentheses, and occurs once.",
    cure: "Write `allowed-tools: Read, Bash(git add:*)`.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads files.\nallowed-tools: Bash(git\n---\nBody"),
  },
  {
    code: "SK-15",
    severity: "warning",
    says: "Every field is defined by the specification or by a known client.",
    cure: "Correct the field's name, or move it into `metadata`.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads files.\ndescripton: x\n---\nBody"),
  },
  {
    code: "SK-16",
    severity: "warning",
    says: "The YAML was repaired: a string with a colon was not quoted.",
    cure: "Quote the value of the named field: other clients refuse the file.",
    example: ({ Skill }) => Skill.parse("---\nname: a\ndescription: Use when: reading\n---\nBody"),
  },
  {
    code: "SK-17",
    severity: "warning",
    says: "The body is not blank, and has at most 500 lines and 20,000 characters.",
    cure: "Write the instructions; move details into files beside it, which a model reads when it needs them.",
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
    cure: "Rename `skill.md`; other clients do not find it.",
    from: "apex-parts/node",
    example: async ({ scanSkills }) => {
      const root = await folder({ "a/skill.md": "---\nname: a\ndescription: Reads.\n---\nBody" });
      return scanSkills([root]);
    },
  },
  {
    code: "SK-20",
    severity: "warning",
    says: "If several skills have the same name, the first is used.",
    cure: "Rename or remove one of the two named files.",
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
    cure: "Copy the skill into the folder, or add the target of the link as another root.",
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
    says: "The description and the body contain no invisible characters; they are removed.",
    cure: "Inspect the code points of the file and remove them: they can contain words that only a model reads.",
    example: ({ Skill }) =>
      Skill.parse("---\nname: a\ndescription: Reads files.\n---\nOpen it.\u{e0041}"),
  },
];

export const SKILLS: Rule[] = ENTRIES.map((rule) => ({ source: "skills", ...rule }));
