//! Shell commands: what a line of bash runs, as far as text can tell.
