//! [`SqliteSource`]: where the bytes of a database come from.

/// The bytes of a file: of a database, or of its write-ahead log.
pub trait SqliteSource {
    /// How many there are.
    fn size(&self) -> u64;

    /// The bytes of a range, or fewer where the file ends.
    ///
    /// # Errors
    /// Why the host cannot read them.
    fn read(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, String>;
}

impl SqliteSource for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, String> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(self.len());
        let to = from.saturating_add(length).min(self.len());
        Ok(self.get(from..to).unwrap_or_default().to_vec())
    }
}
