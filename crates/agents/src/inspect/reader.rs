//! Reads an Inspect log: one JSON object, or an archive of them.

use super::attachments::MOST_REPEATED;
use super::header::LogHeader;
use super::sample::{SampleNames, SamplePlace, read_sample};
use crate::env::Env;
use crate::fields::{get, items, of_kind};
use crate::log::session_log::SessionLog;
use crate::reader::{FormatReader, LoadedSessions};
use crate::record::Record;
use crate::transcript_format::TranscriptFormat;
use crate::whole_json::WholeJson;
use apex_parts_json::tape::Node;
use apex_parts_model::problem_list::{ProblemList, problem};
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::text_map::TextMap;
use apex_parts_model::{Error, Kind};
use apex_parts_validate::Ids;
use apex_parts_wire::SeenFields;
use apex_parts_wire::foreign::Foreign;
use apex_parts_zip::{ZipArchive, ZipBounds, ZipProblems};

/// The format and its reader.
pub struct InspectReader {
    log: SessionLog,
    header: LogHeader,
    /// How often each session's id was given.
    ids: TextMap,
    /// How many bytes references may still repeat.
    left: usize,
    is_cut: bool,
    /// Is the file an archive of something else?
    is_other: bool,
    /// The offset of the file's content.
    start: u64,
    bounds: ZipBounds,
}

/// The entries of an archive that have what is in a log beside its samples: written at the end, and at the start.
const HEADER: &[u8] = b"header.json";
const START: &[u8] = b"_journal/start.json";

fn is_sample(name: &[u8]) -> bool {
    name.strip_prefix(b"samples/").is_some_and(|name| name.ends_with(b".json"))
}

/// Could it be the beginning of the name of an entry of a log?
fn may_be_of_log(name: &[u8]) -> bool {
    name.starts_with(b"samples/")
        || [HEADER, START, b"samples/"].iter().any(|known| known.starts_with(name))
}

impl TranscriptFormat for InspectReader {
    const NAME: &'static str = "inspect";
    const TITLE: &'static str = "Inspect";
    const ENDINGS: &'static [&'static str] = &[".json", ".eval"];
    const IDS: Ids = Ids::OpenCode;
    const IS_WHOLE: bool = true;
    const IS_ARCHIVE: bool = true;

    fn detect(seen: &SeenFields) -> bool {
        seen.has_number("version") && seen.has_string("status") && seen.has_object("eval")
    }

    fn may_be(seen: &SeenFields, is_listed: bool) -> bool {
        !is_listed && seen.has_number("version") && seen.kind().is_none()
    }

    fn reader() -> Option<Box<dyn FormatReader>> {
        Some(Box::new(InspectReader::new(ZipBounds::default())))
    }
}

impl InspectReader {
    fn new(bounds: ZipBounds) -> InspectReader {
        InspectReader {
            log: SessionLog::new(Self::NAME, ""),
            header: LogHeader::default(),
            ids: TextMap::default(),
            left: MOST_REPEATED,
            is_cut: false,
            is_other: false,
            start: 0,
            bounds,
        }
    }

    /// A log that is one JSON object.
    fn document(&mut self, record: Record<'_>) {
        let json = WholeJson::of_record(&record, &mut self.log);
        self.is_cut = !json.is_whole;
        self.header = LogHeader::read(json.root());
        let place = SamplePlace::Json(record.offset);
        for sample in items(get(Some(json.root()), "samples")) {
            self.sample(sample, &json, place);
        }
    }

    fn sample<'a>(&mut self, sample: Node<'a>, json: &'a WholeJson<'_>, place: SamplePlace) {
        let Some(sample) = of_kind(Some(sample), Kind::Object) else { return };
        let mut names = SampleNames::read(sample, json.text(), &self.header);
        // A sample that ran twice may have its id twice.
        let count = self.ids.get(&names.id).map_or(1, |count| count + 1);
        self.ids.insert(&names.id, count);
        if count > 1 {
            names.id = format!("{}-{count}", names.id);
        }
        read_sample(&mut self.log, (sample, json, place), &self.header, names, &mut self.left);
    }

    /// A log that is an archive.
    fn archive(&mut self, record: Record<'_>) {
        let mut problems = ZipProblems::default();
        let mut archive = ZipArchive::open(record.json, self.bounds, &mut problems);
        // Of two entries with one name the later one counts: archives are appended to.
        let mut last: SortedMap<&[u8], usize> = SortedMap::new();
        for (index, name) in archive.names().enumerate() {
            let is_of_log = name == HEADER || name == START || is_sample(name);
            if is_of_log && let Some(before) = last.insert(name, index) {
                let name = String::from_utf8_lossy(name);
                let what = format!("{name}: it is there twice; the later one is read");
                problems.sure.warning("zip", what, archive.offset(before));
            }
        }
        let is_header = |name: &[u8]| name == HEADER || name == START;
        self.is_other = !last.keys().any(|name| is_header(name))
            && !archive.cut_names().any(is_header)
            && !(archive.is_cut && (!last.is_empty() || archive.cut_names().any(may_be_of_log)));
        if self.is_other {
            return;
        }
        self.is_cut = archive.is_cut;
        for name in [HEADER, START] {
            if let Some(index) = last.get(name)
                && self.entry(&mut archive, *index, name, &mut problems)
            {
                break;
            }
        }
        let names: Vec<_> = archive.names().enumerate().collect();
        for (index, name) in names {
            if is_sample(name) && last.get(name) == Some(&index) {
                self.entry(&mut archive, index, name, &mut problems);
            }
        }
        problems.sure.into_iter().for_each(|problem| self.log.problems.push(problem));
        problems.at_end.into_iter().for_each(|problem| self.log.at_end.push(problem));
    }

    /// Reads an entry: a sample, or the header. False if it cannot be read.
    fn entry(
        &mut self,
        archive: &mut ZipArchive<'_>,
        index: usize,
        name: &[u8],
        problems: &mut ZipProblems,
    ) -> bool {
        let Some(content) = archive.content(index, problems) else { return false };
        let offset = archive.offset(index);
        let mut found = ProblemList::default();
        let json = WholeJson::read(&content, 0, &mut found);
        json.check_end(&content, 0, &mut found);
        for it in found {
            let message = format!("{}: {}", String::from_utf8_lossy(name), it.message);
            problems.sure.push(problem(it.severity, &it.rule, message, offset));
        }
        if is_sample(name) {
            self.sample(json.root(), &json, SamplePlace::Packed(offset));
            return true;
        }
        let is_read = json.is_whole && of_kind(Some(json.root()), Kind::Object).is_some();
        if is_read {
            self.header = LogHeader::read(json.root());
        }
        is_read
    }

    /// The sessions at the end of the file.
    fn into_loaded(mut self) -> LoadedSessions {
        if let Some(refused) = self.refused() {
            return refused;
        }
        self.log.end();
        if self.log.sessions.is_empty() {
            self.log.warn("the log has no samples", self.start);
        }
        LoadedSessions { is_cut: self.is_cut, ..self.log.into_loaded() }
    }

    /// What there is if it is another archive.
    fn refused(&self) -> Option<LoadedSessions> {
        let error = || Error::transcript("format", Foreign::Zip.message("file"), 0);
        self.is_other
            .then(|| LoadedSessions { refused: Some(error()), ..LoadedSessions::default() })
    }
}

impl FormatReader for InspectReader {
    fn record(&mut self, record: Record<'_>, _env: &mut Env<'_>) {
        self.start = record.offset;
        if Foreign::detect(record.json) == Some(Foreign::Zip) {
            self.archive(record);
        } else {
            self.document(record);
        }
    }

    fn peek(&mut self, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        let loaded = || LoadedSessions { is_cut: self.is_cut, ..self.log.loaded() };
        self.refused().unwrap_or_else(loaded)
    }

    fn finish(self: Box<Self>, _length: u64, _env: &mut Env<'_>) -> LoadedSessions {
        self.into_loaded()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
