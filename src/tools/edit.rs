//! Replacing text in a file: where the old text is, strictest match first.
