//! Whether a file is text, and what it is otherwise, by its first bytes. Its name counts for nothing.

/// The bytes from which it is told.
pub const HEAD_BYTES: usize = 4_096;

/// A type of file that is known by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileType {
    /// The name for a message, as `PNG image`.
    pub name: &'static str,
    /// The media type, as `image/png`.
    pub mime: &'static str,
    /// Whether a model can be shown it: png, jpeg, gif, webp and PDF.
    pub is_attachment: bool,
}

/// Whether a file is binary: a NUL byte or more than 30 % control bytes among its first 4,096. Text in UTF-16
/// with a byte order mark is not. Tabs, line ends, vertical tabs and form feeds are no control bytes here.
///
/// ```
/// use apex_parts_tools::lines::binary::is_binary;
///
/// assert!(is_binary(b"a\0b"));
/// assert!(!is_binary(b"\xff\xfea\0"));
/// assert!(!is_binary("text, \u{1b}[31mred\u{1b}[0m".as_bytes()));
/// ```
pub fn is_binary(head: &[u8]) -> bool {
    let head = head.get(..HEAD_BYTES).unwrap_or(head);
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return false;
    }
    let is_control = |byte: &&u8| matches!(byte, 0x01..=0x08 | 0x0e..=0x1f);
    memchr::memchr(0, head).is_some()
        || head.iter().filter(is_control).count() * 10 > head.len() * 3
}

/// The type of a file by its first bytes; `None` if it is none of the known ones, as text is not.
pub fn file_type(head: &[u8]) -> Option<FileType> {
    let at = |offset: usize, magic: &[u8]| head.get(offset..).is_some_and(|h| h.starts_with(magic));
    let riff = at(0, b"RIFF");
    let (name, mime, is_attachment) = match () {
        () if at(0, b"\x89PNG\r\n\x1a\n") => ("PNG image", "image/png", true),
        () if at(0, b"\xff\xd8\xff") => ("JPEG image", "image/jpeg", true),
        () if at(0, b"GIF87a") || at(0, b"GIF89a") => ("GIF image", "image/gif", true),
        () if riff && at(8, b"WEBP") => ("WebP image", "image/webp", true),
        () if at(0, b"%PDF-") => ("PDF", "application/pdf", true),
        () if riff && at(8, b"WAVE") => ("WAV audio", "audio/wav", false),
        () if at(0, b"BM") && at(6, &[0; 4]) => ("BMP image", "image/bmp", false),
        () if at(0, b"II*\0") || at(0, b"MM\0*") => ("TIFF image", "image/tiff", false),
        () if at(0, &[0, 0, 1, 0]) => ("icon", "image/x-icon", false),
        () if at(4, b"ftypavif") => ("AVIF image", "image/avif", false),
        () if at(4, b"ftyp") => ("MP4 video", "video/mp4", false),
        () if at(0, b"ID3") || at(0, b"\xff\xfb") => ("MP3 audio", "audio/mpeg", false),
        () if at(0, b"OggS") => ("Ogg media", "application/ogg", false),
        () if at(0, b"PK\x03\x04") || at(0, b"PK\x05\x06") => {
            ("ZIP archive", "application/zip", false)
        }
        () if at(0, b"\x1f\x8b") => ("gzip archive", "application/gzip", false),
        () if at(0, b"BZh") => ("bzip2 archive", "application/x-bzip2", false),
        () if at(0, b"\xfd7zXZ\0") => ("xz archive", "application/x-xz", false),
        () if at(0, b"\x28\xb5\x2f\xfd") => ("zstd archive", "application/zstd", false),
        () if at(0, b"7z\xbc\xaf\x27\x1c") => ("7z archive", "application/x-7z-compressed", false),
        () if at(257, b"ustar") => ("tar archive", "application/x-tar", false),
        () if at(0, b"\x7fELF") => ("ELF program", "application/x-elf", false),
        () if at(0, b"\0asm") => ("WebAssembly module", "application/wasm", false),
        () if at(0, b"MZ") => {
            ("Windows program", "application/vnd.microsoft.portable-executable", false)
        }
        () if at(0, b"\xcf\xfa\xed\xfe") => ("Mach-O program", "application/x-mach-binary", false),
        () if at(0, b"\xca\xfe\xba\xbe") => ("Java class", "application/java-vm", false),
        () if at(0, b"SQLite format 3\0") => ("SQLite database", "application/vnd.sqlite3", false),
        () if at(0, b"wOFF") || at(0, b"wOF2") => ("web font", "font/woff2", false),
        () => return None,
    };
    Some(FileType { name, mime, is_attachment })
}

/// The sentence for a file that is not text: its size in bytes, and what it looks like ("data" if unknown).
pub fn binary_message(path: &str, bytes: u64, head: &[u8]) -> String {
    let kind = file_type(head).map_or("data", |kind| kind.name);
    format!("{path} is binary ({bytes} bytes, looks like {kind}); it cannot be shown as text.")
}
