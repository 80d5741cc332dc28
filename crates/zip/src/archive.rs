//! [`ZipArchive`]: the entries of an archive, and what they unpack to.

use super::bytes::length;
use super::directory::{self, Directory, DirectoryEntry, DirectoryError};
use super::entry::{DEFLATED, ENCRYPTED, LocalHeader, STORED, ZipEntry, method_name};
use super::inflate::{InflateError, inflate};
use super::local_headers;
use super::zip_problems::ZipProblems;
use apex_parts_model::crc32::crc32;
use apex_parts_model::order;
use apex_parts_model::problem_list::ProblemList;
use std::borrow::Cow;
use std::ops::Range;

/// What an archive may cost.
#[derive(Clone, Copy, Debug)]
pub struct ZipBounds {
    /// The most bytes that are unpacked, over all entries.
    pub unpacked: usize,
    /// How many times as long as it is packed an entry may be.
    pub ratio: usize,
    /// The most entries that are read.
    pub entries: usize,
}

impl Default for ZipBounds {
    fn default() -> ZipBounds {
        ZipBounds { unpacked: 1 << 30, ratio: 1000, entries: 200_000 }
    }
}

/// The entries of an archive.
#[derive(Debug)]
pub struct ZipArchive<'a> {
    bytes: &'a [u8],
    entries: Vec<ZipEntry>,
    /// The names of entries that are cut off.
    cut_names: Vec<Range<usize>>,
    /// Is there no directory? Then further entries may be lost.
    pub is_cut: bool,
    bounds: ZipBounds,
    /// How many bytes may still be unpacked.
    left: usize,
}

impl<'a> ZipArchive<'a> {
    /// Reads the directory or, where that is lost, the headers of the entries.
    pub fn open(bytes: &'a [u8], bounds: ZipBounds, problems: &mut ZipProblems) -> ZipArchive<'a> {
        let mut archive = ZipArchive {
            bytes,
            entries: Vec::new(),
            cut_names: Vec::new(),
            is_cut: false,
            bounds,
            left: bounds.unpacked,
        };
        let is_longer = match directory::read(bytes, bounds.entries) {
            Ok(directory) => archive.locate(directory, problems),
            Err(error) => archive.search(&error, problems),
        };
        if is_longer {
            let most = bounds.entries;
            let what = format!("the archive has more than {most} entries; the others are left out");
            problems.sure.error("limit", what, 0);
        }
        archive
    }

    /// The names of the entries, in order.
    pub fn names(&self) -> impl Iterator<Item = &'a [u8]> {
        let bytes = self.bytes;
        self.entries.iter().map(move |entry| bytes.get(entry.name.clone()).unwrap_or_default())
    }

    /// The names of entries that are cut off, or whose ends cannot be told; a name itself may be cut off.
    pub fn cut_names(&self) -> impl Iterator<Item = &'a [u8]> {
        let bytes = self.bytes;
        self.cut_names.iter().map(move |name| bytes.get(name.clone()).unwrap_or_default())
    }

    /// The offset of an entry.
    pub fn offset(&self, index: usize) -> u64 {
        self.entries.get(index).map_or(0, |entry| entry.at as u64)
    }

    /// Takes the entries of the directory; true if there are more than were read.
    fn locate(&mut self, directory: Directory, problems: &mut ZipProblems) -> bool {
        let Directory { entries, start, claimed, is_longer } = directory;
        let problems = &mut problems.sure;
        // Some writers keep the lower 16 bits of the number.
        let count = entries.len() as u64;
        if !is_longer && claimed != count && claimed != count & 0xffff {
            let what = format!("the archive says that it has {claimed} entries, and has {count}");
            problems.warning("zip", what, start as u64);
        }
        for entry in entries {
            match self.located(&entry, start, problems) {
                Ok(entry) => self.entries.push(entry),
                Err(what) => {
                    let what = format!("{}: {what}; it is left out", self.text(&entry.name));
                    // Where it says that it is may be behind the end; its name is in the directory.
                    let is_inside = entry.at <= self.bytes.len() as u64;
                    let at = if is_inside { entry.at } else { entry.name.start as u64 };
                    problems.error("zip", what, at);
                }
            }
        }
        self.leave_out_overlaps(problems);
        is_longer
    }

    fn located(
        &self,
        entry: &DirectoryEntry,
        end: usize,
        problems: &mut ProblemList,
    ) -> Result<ZipEntry, &'static str> {
        let DirectoryEntry { ref name, flags, method, crc, packed, size, at } = *entry;
        let header = LocalHeader::at(self.bytes, length(at));
        let header = header.ok_or("the archive has no entry where it says that this one is")?;
        let to = header.data.checked_add(length(packed)).filter(|to| *to <= end);
        let to = to.ok_or("it says that it is longer than the archive")?;
        let mut warn = |what: String| {
            problems.warning("zip", format!("{}: {what}", self.text(name)), at);
        };
        if self.bytes.get(header.name.clone()) != self.bytes.get(name.clone()) {
            warn(format!("its own header calls it {}", self.text(&header.name)));
        }
        let own = (header.method, header.crc, header.packed, header.size);
        let is_told_later = (own.1, own.2, own.3) == (0, 0, 0);
        if own != (method, crc, packed, size) && (own.0 != method || !is_told_later) {
            warn("its own header says something else of it than the directory".to_owned());
        }
        Ok(ZipEntry {
            name: name.clone(),
            at: length(at),
            data: header.data..to,
            method,
            is_encrypted: (flags | header.flags) & ENCRYPTED != 0,
            claims: Some((crc, size)),
        })
    }

    /// Leaves out entries that have bytes of one before them in the file: of the same bytes an archive could
    /// make any number of entries.
    fn leave_out_overlaps(&mut self, problems: &mut ProblemList) {
        let at = |index: usize| self.entries.get(index).map(|entry| entry.at);
        let order = order::order(self.entries.len(), &|a, b| at(a).cmp(&at(b)));
        let mut overlaps = vec![false; self.entries.len()];
        let mut end = 0;
        for index in order {
            let Some(entry) = self.entries.get(index) else { continue };
            if entry.at < end {
                let what = format!(
                    "{}: it has the same bytes as an entry before it; it is left out",
                    self.text(&entry.name)
                );
                problems.error("zip", what, entry.at as u64);
                overlaps.get_mut(index).into_iter().for_each(|it| *it = true);
            } else {
                end = entry.data.end;
            }
        }
        let mut overlap = overlaps.into_iter();
        self.entries.retain(|_| overlap.next() != Some(true));
    }

    /// Takes what the headers of the entries say; true if there are more than were read.
    fn search(&mut self, error: &DirectoryError, problems: &mut ZipProblems) -> bool {
        let (list, at, what) = match error {
            DirectoryError::Missing => (
                &mut problems.at_end,
                self.bytes.len(),
                "the archive is cut off: its directory is missing",
            ),
            DirectoryError::Broken(at) => {
                (&mut problems.sure, *at, "the directory of the archive is broken")
            }
        };
        list.error(
            "zip",
            format!("{what}; the entries that are found without it are read"),
            at as u64,
        );
        self.is_cut = true;
        let ZipBounds { entries, unpacked, .. } = self.bounds;
        let found = local_headers::read(self.bytes, entries, unpacked, problems);
        self.entries = found.entries;
        self.cut_names = found.cut_names;
        found.is_longer
    }

    /// The text of a name, for messages.
    fn text(&self, name: &Range<usize>) -> String {
        // Nobody reads more of it.
        let shown = name.start..name.end.min(name.start + 200);
        String::from_utf8_lossy(self.bytes.get(shown).unwrap_or_default()).into_owned()
    }

    /// What an entry unpacks to; `None`, with a problem, if it cannot be unpacked.
    pub fn content(&mut self, index: usize, problems: &mut ZipProblems) -> Option<Cow<'a, [u8]>> {
        let problems = &mut problems.sure;
        let entry = self.entries.get(index)?.clone();
        let name = self.text(&entry.name);
        let packed = self.bytes.get(entry.data.clone()).unwrap_or_default();
        let content = match self.unpacked(&entry, packed) {
            Ok(content) => content,
            Err((rule, why)) => {
                problems.error(rule, format!("{name}: {why}; it is left out"), entry.at as u64);
                return None;
            }
        };
        if let Some((crc, size)) = entry.claims {
            if size != content.len() as u64 {
                let length = content.len();
                let what = format!("{name}: it says that it has {size} bytes, and has {length}");
                problems.error("zip", what, entry.at as u64);
            }
            if crc != crc32(&content) {
                let what = format!("{name}: its bytes are damaged: their checksum is another one");
                problems.error("zip", what, entry.at as u64);
            }
        }
        Some(content)
    }

    fn unpacked(
        &mut self,
        entry: &ZipEntry,
        packed: &'a [u8],
    ) -> Result<Cow<'a, [u8]>, (&'static str, String)> {
        if entry.is_encrypted {
            return Err(("zip", "it is encrypted, which is not read".to_owned()));
        }
        let of_ratio = packed.len().saturating_mul(self.bounds.ratio);
        let limit = of_ratio.min(self.left);
        let (content, end) = match entry.method {
            STORED if packed.len() > limit => (Cow::default(), Err(InflateError::TooLong)),
            STORED => (Cow::Borrowed(packed), Ok(())),
            DEFLATED => {
                let inflated = inflate(packed, limit);
                (Cow::Owned(inflated.bytes), inflated.end)
            }
            method => {
                let method = method_name(method);
                return Err(("zip", format!("it is compressed with {method}, which is not read")));
            }
        };
        // What was unpacked in vain counts too: it took as long.
        self.left = self.left.saturating_sub(content.len());
        match end {
            Ok(()) => Ok(content),
            Err(InflateError::Cut) => Err(("zip", "its packed bytes end too early".to_owned())),
            Err(InflateError::Broken) => Err(("zip", "its packed bytes are damaged".to_owned())),
            Err(InflateError::NoMemory) => Err(("limit", "there is no memory for it".to_owned())),
            Err(InflateError::TooLong) if of_ratio <= limit => {
                let ratio = self.bounds.ratio;
                Err(("limit", format!("it is more than {ratio} times as long as it is packed")))
            }
            Err(InflateError::TooLong) => {
                self.left = 0;
                let most = self.bounds.unpacked;
                Err(("limit", format!("the archive unpacks to more than {most} bytes")))
            }
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
