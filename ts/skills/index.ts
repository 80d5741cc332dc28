// Skills: `SKILL.md` and their listing.
export { Skill } from "./skill.ts";
export type * from "./types.ts";
