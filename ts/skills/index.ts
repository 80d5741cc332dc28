// Skills: what index.d.ts declares of js/skills.d.ts.

export { Skill } from "./skill.ts";
