use super::binary::{binary_message, file_type, is_binary};
use super::directory::DirectoryPage;
use super::*;
use proptest::prelude::*;

fn page_of(bytes: &[u8], offset: usize, limit: usize) -> FilePage {
    read(bytes, offset, limit, &[]).unwrap()
}

/// Reads in pieces that end at the cuts.
fn read(bytes: &[u8], offset: usize, limit: usize, cuts: &[usize]) -> Result<FilePage, PastEnd> {
    let mut reader = PageReader::new(offset, limit);
    let mut from = 0;
    for cut in cuts.iter().copied().chain([bytes.len()]) {
        let to = cut.clamp(from, bytes.len());
        reader.push(&bytes[from..to]);
        from = to;
    }
    reader.finish()
}

#[test]
fn the_output_has_the_tags_the_numbers_and_one_note() {
    let page = page_of(b"one\n\nthree\n", 1, 2_000);
    assert_eq!(
        page.output("/w/a.txt"),
        "<path>/w/a.txt</path>\n<type>file</type>\n<content>\n1: one\n2: \n3: three\n\n\
         (End of file: 3 lines)\n</content>"
    );
    assert_eq!((page.line_start, page.line_end, page.total_lines), (1, 3, 3));
    assert!(!page.truncated);
}

#[test]
fn an_empty_file_read_at_1_is_fine() {
    let page = page_of(b"", 0, 2_000);
    assert_eq!(
        page.output("p"),
        "<path>p</path>\n<type>file</type>\n<content>\n\n\n(End of file: 0 lines)\n</content>"
    );
    assert_eq!((page.line_start, page.line_end, page.total_lines), (1, 0, 0));
    assert_eq!((page.eol, page.final_newline), (None, Some(false)));
}

#[test]
fn an_offset_past_the_end_is_refused() {
    let past = read(b"a\nb\n", 3, 10, &[]).unwrap_err();
    assert_eq!(past.message(), "offset 3 is past the end: the file has 2 lines.");
    let past = read(b"", 2, 10, &[]).unwrap_err();
    assert_eq!(past.message(), "offset 2 is past the end: the file has 0 lines.");
    assert!(read(b"a\nb\n", usize::MAX, usize::MAX, &[]).is_err());
}

#[test]
fn offset_0_reads_as_1_and_limit_0_gives_no_lines() {
    assert_eq!(page_of(b"a\nb", 0, 1), page_of(b"a\nb", 1, 1));
    let page = page_of(b"a\nb\nc\nd\n", 1, 0);
    assert_eq!(page.numbered(), "");
    assert_eq!(page.note(), "(Lines 1-0 of 4. Go on with offset=1.)");
    assert!(page.truncated);
}

#[test]
fn a_page_in_the_middle_names_the_next_offset() {
    let page = page_of(b"a\nb\nc\nd", 2, 2);
    assert_eq!(page.numbered(), "2: b\n3: c");
    assert_eq!(page.note(), "(Lines 2-3 of 4. Go on with offset=4.)");
    let page = page_of(b"a\nb\nc\nd", 3, 2);
    assert_eq!(page.note(), "(End of file: 4 lines)");
    assert!(!page.truncated);
}

#[test]
fn line_ends_are_told_and_not_shown() {
    for (text, eol, lines, last) in [
        ("a\nb\n", Some(Eol::Lf), 2, true),
        ("a\r\nb", Some(Eol::CrLf), 2, false),
        ("old\rmac\r", Some(Eol::Cr), 2, true),
        ("a\r\rb\r", Some(Eol::Cr), 3, true),
        ("a\nb\r\nc\n", Some(Eol::Mixed), 3, true),
        ("a\n\rb", Some(Eol::Mixed), 3, false),
        ("a", None, 1, false),
    ] {
        for limit in [0, 1, 100] {
            let page = page_of(text.as_bytes(), 1, limit);
            assert_eq!(page.eol, eol, "{text:?}");
            assert_eq!(page.total_lines, lines, "{text:?}");
            assert_eq!(page.final_newline, Some(last), "{text:?}");
            assert!(!page.text.contains('\r'));
        }
    }
}

#[test]
fn other_separators_end_no_line() {
    let page = page_of("a\u{2028}b\u{85}c\u{c}d\u{b}e".as_bytes(), 1, 10);
    assert_eq!(page.total_lines, 1);
}

#[test]
fn a_long_line_is_cut_at_a_character_boundary() {
    let line = |text: &str| page_of(text.as_bytes(), 1, 10).text;
    let x = "x".repeat(2_000);
    assert_eq!(line(&x), x);
    assert_eq!(line(&format!("{x}xx")), format!("{x}… (line cut, 2002 characters)"));
    let edge = format!("{}{}\n", "a".repeat(1_999), "😀".repeat(10));
    assert_eq!(line(&edge), format!("{}… (line cut, 2009 characters)", "a".repeat(1_999)));
    let fits = format!("{}😀", "a".repeat(1_998));
    assert_eq!(line(&fits), fits);
    let pieces: Vec<usize> = (0..edge.len()).collect();
    assert_eq!(read(edge.as_bytes(), 1, 10, &pieces).unwrap().text, line(&edge));
}

#[test]
fn the_page_stops_before_the_line_that_would_pass_its_bytes() {
    // 511 lines of 99 bytes and their ends: 51,100; then one of 99 fits exactly with its neighbours' ends.
    let row = format!("{}\n", "w".repeat(99));
    let page = page_of(row.repeat(512).as_bytes(), 1, 5_000);
    assert_eq!((page.line_end, page.truncated, page.text.len()), (512, false, 51_199));
    let page = page_of(row.repeat(600).as_bytes(), 1, 5_000);
    assert_eq!((page.line_end, page.truncated), (512, true));
    assert_eq!(page.note(), "(Cut at 50 KB after line 512. Go on with offset=513.)");
    assert_eq!(page.final_newline, None);
    let mut reader = PageReader::new(1, 5_000);
    assert!(reader.push(row.repeat(500).as_bytes()));
    assert!(!reader.push(row.repeat(500).as_bytes()), "it says that no more is needed");
}

#[test]
fn the_preview_is_the_first_20_lines() {
    let page = page_of("l\n".repeat(30).as_bytes(), 5, 30);
    assert_eq!(page.preview(), vec!["l"; 20].join("\n"));
    assert_eq!(page_of(b"a\nb", 1, 5).preview(), "a\nb");
}

#[test]
fn a_byte_order_mark_is_not_shown() {
    let page = page_of("\u{feff}with\n".as_bytes(), 1, 10);
    assert_eq!((page.text.as_str(), page.bom), ("with", true));
    assert_eq!(page.encoding, Encoding::Utf8);
    let page = page_of("a\u{feff}".as_bytes(), 1, 10);
    assert_eq!((page.text.as_str(), page.bom), ("a\u{feff}", false));
}

#[test]
fn invalid_utf_8_shows_as_replacement_characters() {
    let page = page_of(b"caf\xe9\nn\xf6\n", 1, 10);
    assert_eq!(page.text, "caf\u{fffd}\nn\u{fffd}");
    assert_eq!(page.encoding.name(), "invalid-utf8");
    assert_eq!(page_of(b"a\xe6\xbc", 1, 10).text, "a\u{fffd}");
    // Bytes of lines that are not shown count as well.
    assert_eq!(page_of(b"a\n\xff\nb", 3, 10).encoding, Encoding::InvalidUtf8);
}

#[test]
fn utf_16_with_a_mark_is_decoded() {
    let text = "\u{feff}sixteen\r\n漢😀\n";
    let le: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (bytes, encoding) in [(le, Encoding::Utf16Le), (be, Encoding::Utf16Be)] {
        let page = page_of(&bytes, 1, 10);
        assert_eq!(page.text, "sixteen\n漢😀");
        assert_eq!((page.encoding, page.bom, page.eol), (encoding, true, Some(Eol::Mixed)));
        for cut in 0..bytes.len() {
            assert_eq!(read(&bytes, 1, 10, &[cut, cut + 1]).unwrap(), page);
        }
        let mut odd = bytes.clone();
        odd.extend([0xd8, 0xd8, 0xd8]);
        assert_eq!(page_of(&odd, 3, 10).text, "\u{fffd}\u{fffd}");
    }
}

#[test]
fn a_huge_line_is_not_held() {
    let mut reader = PageReader::new(1, 10);
    let piece = vec![b'h'; 1 << 16];
    for _ in 0..64 {
        reader.push(&piece);
    }
    assert!(reader.lines.line.capacity() < 10_000);
    let page = reader.finish().unwrap();
    assert!(page.text.ends_with(&format!("h… (line cut, {} characters)", 64 << 16)));
}

#[test]
fn binary_is_a_nul_or_more_than_30_percent_control_bytes_in_the_first_4096() {
    assert!(is_binary(b"before\0after\n"));
    assert!(is_binary(&[1, 2, 3, 4, 5, 6, 7, 0x41, 0x42, 0x0a]));
    assert!(!is_binary(&[1, 2, 3, b'a', b'a', b'a', b'a', b'a', b'a', b'a']), "30 % is not more");
    assert!(is_binary(&[1, 2, 3, b'a', b'a', b'a', b'a', b'a', b'a']));
    assert!(!is_binary(b"") && !is_binary(b"\t\r\n\x0b\x0c"));
    let mut late = vec![b'a'; 4_096];
    late.push(0);
    assert!(!is_binary(&late));
    late[4_095] = 0;
    assert!(is_binary(&late));
    assert!(!is_binary(b"\xff\xfea\0\n\0") && !is_binary(b"\xfe\xff\0a"));
    assert!(!is_binary(b"caf\xe9"));
}

#[test]
fn types_are_told_by_content() {
    for (head, mime, is_attachment) in [
        (b"\x89PNG\r\n\x1a\n\0\0".as_slice(), "image/png", true),
        (b"\xff\xd8\xff\xe0", "image/jpeg", true),
        (b"GIF89a", "image/gif", true),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp", true),
        (b"%PDF-1.4\n", "application/pdf", true),
        (b"PK\x05\x06\0", "application/zip", false),
        (b"\x7fELF\x02", "application/x-elf", false),
    ] {
        let kind = file_type(head).unwrap();
        assert_eq!((kind.mime, kind.is_attachment), (mime, is_attachment));
    }
    assert_eq!(file_type(b"<svg xmlns"), None);
    assert_eq!(file_type(b"this is not a picture\n"), None);
    assert_eq!(
        binary_message("a.x", 9, b"PK\x03\x04"),
        "a.x is binary (9 bytes, looks like ZIP archive); it cannot be shown as text."
    );
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_directory_is_sorted_by_code_point_and_paged() {
    let list = names(&["b", "\u{1f600}", "A/", "\u{fffd}", "a"]);
    let page = DirectoryPage::new(list.clone(), 0, 10).unwrap();
    assert_eq!(page.entries, names(&["A/", "a", "b", "\u{fffd}", "\u{1f600}"]));
    assert_eq!(page.note(), "(5 entries)");
    let page = DirectoryPage::new(list.clone(), 2, 2).unwrap();
    assert_eq!(
        page.output("/d"),
        "<path>/d</path>\n<type>directory</type>\n<entries>\na\nb\n\n\
         (2 of 5 entries. Go on with offset=4.)\n</entries>"
    );
    assert_eq!(DirectoryPage::new(list.clone(), 4, 2).unwrap().note(), "(5 entries)");
    let past = DirectoryPage::new(list, 6, 1).unwrap_err();
    assert_eq!(past.message(), "offset 6 is past the end: the directory has 5 entries.");
    assert_eq!(DirectoryPage::new(vec![], 1, 9).unwrap().note(), "(0 entries)");
}

#[test]
fn spans_agree_with_the_reader() {
    for text in ["", "a", "a\n", "a\r\nb\rc\n\nd", "\r", "\n\r\n"] {
        let spans = span::line_spans(text.as_bytes());
        assert_eq!(spans.len(), page_of(text.as_bytes(), 1, 0).total_lines, "{text:?}");
    }
}

proptest! {
    #[test]
    fn where_the_bytes_are_cut_changes_nothing(
        text in proptest::collection::vec(prop_oneof![
            Just(b"\r".to_vec()), Just(b"\n".to_vec()), Just(b"a".to_vec()), Just(vec![0xff]),
            Just(vec![0xfe]), Just(vec![0]), Just("é".as_bytes().to_vec()),
            Just("😀".as_bytes().to_vec()), Just(vec![0xe6]), Just(vec![0xef, 0xbb, 0xbf]),
        ], 0..12),
        mut cuts in proptest::collection::vec(0usize..30, 0..6),
        offset in 0usize..4,
        limit in 0usize..4,
    ) {
        let bytes = text.concat();
        cuts.sort_unstable();
        let whole = read(&bytes, offset, limit, &[]);
        prop_assert_eq!(&read(&bytes, offset, limit, &cuts), &whole);
        let single: Vec<usize> = (0..bytes.len()).collect();
        prop_assert_eq!(&read(&bytes, offset, limit, &single), &whole);
        if let Ok(page) = whole
            && !matches!(page.encoding, Encoding::Utf16Le | Encoding::Utf16Be)
        {
            let lossy = String::from_utf8_lossy(&bytes);
            let plain = lossy.strip_prefix('\u{feff}').unwrap_or(&lossy).replace("\r\n", "\n").replace('\r', "\n");
            let all: Vec<_> = plain.split_terminator('\n').collect();
            prop_assert_eq!(page.total_lines, all.len());
            let shown: Vec<_> = all.iter().skip(offset.max(1) - 1).take(limit).copied().collect();
            prop_assert_eq!(page.text, shown.join("\n"));
        }
    }
}
