//! Wildcards of permission rules: `*` and `?`.
