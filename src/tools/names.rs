//! Names that are near to one that does not exist.
