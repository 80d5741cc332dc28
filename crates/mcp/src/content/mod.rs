//! Results of `tools/call` and `resources/read`, as text and files for a model.
//!
//! JavaScript hands over each item as a line of JSON in which base64 is replaced by what is known of it
//! (`item`), so that the bytes of a file never cross. What comes back refers to a file by its number.
//!
//! ```
//! use apex_parts_mcp::content::{ContentHead, read_content};
//! let head = ContentHead { client: "demo".into(), is_object: true, has_content: true, ..ContentHead::default() };
//! let parts = read_content(&head, r#"{"type":"text","text":"4 items"}"#, Some(r#"{"id":7}"#));
//! assert_eq!(parts.output, "4 items\n\n{\"id\":7}");
//! ```

mod filename;
mod item;
mod item_list;
mod mime;
mod pieces;
mod read;
mod structured;

pub use item::{ContentHead, ContentLink, ContentParts, ContentResource, ContentSource};
pub use read::read_content;
pub use structured::StructuredPlace;
