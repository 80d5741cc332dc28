//! Globs of paths, and the lines of ignore files.
