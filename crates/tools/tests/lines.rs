//! Files as OpenCode read them, and where the contract decides otherwise.
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]

mod workspace;

use apex_parts_tools::lines::binary::is_binary;
use apex_parts_tools::lines::directory::DirectoryPage;
use apex_parts_tools::lines::{DEFAULT_LIMIT, PageReader};
use workspace::{cases, file, relative};

/// Calls whose text the contract shows otherwise, and the sentence that decides.
const OTHERWISE: &[(&str, &str)] = &[
    (
        "read-long-line",
        "A line over 2,000 UTF-16 units is cut … with \"… (line cut, N characters)\"",
    ),
    (
        "read-huge-line",
        "A line over 2,000 UTF-16 units is cut … with \"… (line cut, N characters)\"",
    ),
    ("read-emoji-edge", "cut at a character boundary (OpenCode leaves half a surrogate pair)"),
    ("read-utf16", "UTF-16 with a BOM is decoded (OpenCode calls it binary)"),
    ("read-text-bin", "an extension alone does not make text unreadable"),
    ("read-empty-bin", "an extension alone does not make text unreadable"),
];

/// The numbered lines of an output.
fn numbered(output: &str) -> Vec<&str> {
    let content = output.split_once("<content>\n").unwrap().1;
    content.split('\n').take_while(|line| line.split_once(": ").is_some()).collect()
}

#[test]
fn pages_are_as_recorded_or_as_the_contract_says() {
    let mut compared = 0;
    for case in cases("read") {
        let id = case["id"].as_str().unwrap();
        let args = &case["args"];
        let number = |name: &str| args[name].as_u64().map(|number| number as usize);
        let Some(bytes) = args["filePath"].as_str().and_then(|path| file(relative(path))) else {
            continue;
        };
        let (state, is_completed) = (&case["state"], case["state"]["status"] == "completed");
        if is_binary(&bytes) {
            assert!(state["error"].as_str().unwrap().contains("binary"), "{id}");
            continue;
        }
        let offset = number("offset").unwrap_or(1);
        let mut reader = PageReader::new(offset, number("limit").unwrap_or(DEFAULT_LIMIT));
        bytes.chunks(4_099).all(|piece| reader.push(piece));
        let page = reader.finish();
        if OTHERWISE.iter().any(|(other, _)| *other == id) {
            let display = &state["metadata"]["display"];
            let total = display["totalLines"].as_u64().map(|lines| lines as usize);
            assert!(total.is_none_or(|total| page.unwrap().total_lines == total), "{id}");
            continue;
        }
        let display = &state["metadata"]["display"];
        if !is_completed || display.is_null() {
            let error = state["error"].as_str().unwrap_or_default();
            assert_eq!(page.is_err(), error.contains("is out of range"), "{id}: {error}");
            continue;
        }
        let page = page.unwrap();
        compared += 1;
        let value = |name: &str| display[name].as_u64().unwrap() as usize;
        assert_eq!(page.text, display["text"].as_str().unwrap(), "{id}");
        assert_eq!(page.line_start, value("lineStart"), "{id}");
        assert_eq!(page.line_end, value("lineEnd"), "{id}");
        assert_eq!(page.total_lines, value("totalLines"), "{id}");
        assert_eq!(page.truncated, display["truncated"].as_bool().unwrap(), "{id}");
        assert_eq!(page.preview(), state["metadata"]["preview"].as_str().unwrap(), "{id}");
        let (ours, theirs) = (page.output("p"), state["output"].as_str().unwrap());
        assert_eq!(numbered(&ours), numbered(theirs), "{id}");
        let blanks = |text: &str| text.split_once("<content>").unwrap().1.matches('\n').count();
        assert_eq!(blanks(&ours), blanks(theirs), "{id}");
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn directories_are_as_recorded_but_for_the_order() {
    for case in cases("read") {
        let display = &case["state"]["metadata"]["display"];
        if display["type"] != "directory" || case["args"]["limit"].is_u64() {
            continue;
        }
        let names = |list: &serde_json::Value| -> Vec<String> {
            list.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
        };
        let page = DirectoryPage::new(names(&display["entries"]), 1, DEFAULT_LIMIT).unwrap();
        // "sorted by code point (OpenCode's localeCompare is locale-bound)"
        let mut expected = names(&display["entries"]);
        expected.sort_unstable();
        assert_eq!(page.entries, expected);
        assert_eq!(page.total, display["totalEntries"].as_u64().unwrap() as usize);
        let ours = page.output(case["args"]["filePath"].as_str().unwrap());
        let theirs = case["state"]["output"].as_str().unwrap();
        assert_eq!(ours.lines().count(), theirs.lines().count());
        assert!(theirs.ends_with(&format!("{}\n</entries>", page.note())), "{theirs}");
    }
}
