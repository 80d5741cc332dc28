//! A page of a file's lines, with their numbers.
