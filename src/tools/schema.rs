//! JSON Schema: what is wrong with a tool's arguments, and what can be repaired.
