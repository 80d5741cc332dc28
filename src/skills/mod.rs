//! Skills: folders with a `SKILL.md`, read and listed. No files and no processes: text in, values out.
//!
//! [`SkillDocument::parse`] reads a `SKILL.md`, [`SkillListing`] is the list of skills for a model, and
//! [`direct_text`] is what a call of a skill without a script gives. Nothing of a skill is run.

mod allowed_tools;
mod core_schema;
mod direct;
mod document;
mod fences;
mod fields;
mod listing;
mod name;
mod reader;
mod repair;
mod yaml;
mod yaml_fault;
mod yaml_input;
mod yaml_tree;

pub use core_schema::YamlValue;
pub use direct::{DirectWrap, SkillFolder, direct_text};
pub use document::{MAX_SKILL_BYTES, SkillDocument, SkillMode, SkillOptions};
pub use listing::{ListedSkill, ListingCut, ListingOptions, ListingStyle, SkillListing};
