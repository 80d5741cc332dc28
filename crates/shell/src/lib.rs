#![doc = include_str!("../README.md")]

pub mod decision;
pub mod permission;
pub mod shell;
pub mod wildcard;
