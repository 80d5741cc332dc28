#![doc = include_str!("../README.md")]

mod beginnings;
pub mod decision;
mod open_target;
pub mod permission;
pub mod shell;
pub mod wildcard;
