// Skill.parse and Skill.listing.
import { toolsSkillParse } from "apex-parts:glue";

export const Skill = { parse: toolsSkillParse };
