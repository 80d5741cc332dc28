#![doc = include_str!("../README.md")]

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
