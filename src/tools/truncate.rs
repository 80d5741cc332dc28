//! Cutting long output at whole lines.
