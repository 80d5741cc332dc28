//! [`ObjectReader`]: reads records that are objects, from their bytes or from a tape.

use crate::env::Env;
use crate::fields::ObjectRecord;
use crate::record::Record;
use apex_parts_json::tape::Node;
use apex_parts_model::problem_list::ProblemList;

/// Reads records that are objects.
pub trait ObjectReader {
    /// Where the problems of records go that are no objects.
    fn problems(&mut self) -> &mut ProblemList;
    /// Reads the next record, which is one object of valid UTF-8: its text, and its value on a tape.
    fn object(&mut self, record: Record<'_>, text: &str, root: Node<'_>, env: &mut Env<'_>);
}

/// Reads the next record from its bytes. It is a problem if the record is not an object.
pub fn read_object(reader: &mut dyn ObjectReader, record: Record<'_>, env: &mut Env<'_>) {
    if let Some(read) = ObjectRecord::read(&record, reader.problems()) {
        reader.object(record, read.text(), read.root(), env);
    }
}
