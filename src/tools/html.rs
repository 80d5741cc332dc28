//! HTML as Markdown, or as text.
