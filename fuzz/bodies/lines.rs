//! Pages of a file that comes in pieces, against a reader of the whole.

use super::dice::{Dice, pieces};
use apex_parts::tools::lines::binary::{binary_message, is_binary};
use apex_parts::tools::lines::{
    Encoding, FilePage, MAX_LINE_UNITS, MAX_PAGE_BYTES, PageReader, PastEnd,
};

/// Where a file is cut changes nothing; a page is not too large and holds the lines that were asked for.
pub fn lines(data: &[u8]) {
    let mut dice = Dice::new(data);
    // Long lines and large pages, of small inputs.
    let data = match dice.roll(24) {
        0 => data.repeat(1 + 100_000 / data.len().max(1)),
        1 => data.repeat(1 + 5_000 / data.len().max(1)),
        _ => data.to_vec(),
    };
    let offset = if dice.roll(2) == 0 { 1 } else { dice.roll(9) };
    let limit = [0, 1, 3, 2_000][dice.roll(4)];
    let whole = read(&[&data], offset, limit);
    let cuts = dice.cuts(data.len());
    assert_same(&whole, read(&pieces(&data, &cuts), offset, limit), &data);
    if data.len() < 100 {
        let bytes: Vec<&[u8]> = data.chunks(1).collect();
        assert_same(&whole, read(&bytes, offset, limit), &data);
    }
    let (lines, encoding) = lines_of(&data);
    assert!(is_binary(&data) || !binary_message("p", 0, &data).is_empty());
    let page = match whole {
        Ok(page) => page,
        Err(past) => {
            assert_eq!((past.offset, past.total), (offset, lines.len()));
            assert!(offset > lines.len().max(1) && !past.message().is_empty());
            return;
        }
    };
    let mut text = String::new();
    let (mut shown, mut is_full) = (0, false);
    for line in lines.iter().skip(offset.max(1) - 1).take(limit) {
        let line = cut(line);
        let between = if shown == 0 { "" } else { "\n" };
        if text.len() + between.len() + line.len() > MAX_PAGE_BYTES {
            is_full = true;
            break;
        }
        text.push_str(between);
        text.push_str(&line);
        shown += 1;
    }
    assert!(page.text.len() <= MAX_PAGE_BYTES);
    assert_eq!((&page.text, page.line_count, page.stopped_at_bytes), (&text, shown, is_full));
    assert_eq!(page.line_end + 1, page.line_start + shown);
    assert_eq!(page.truncated, page.line_end < lines.len());
    assert_eq!(page.numbered().split('\n').count(), shown.max(1));
    assert!(text.starts_with(page.preview()));
    if !is_full {
        assert_eq!((page.total_lines, page.encoding), (lines.len(), encoding));
    }
}

fn read(pieces: &[&[u8]], offset: usize, limit: usize) -> Result<FilePage, PastEnd> {
    let mut reader = PageReader::new(offset, limit);
    for piece in pieces {
        if !reader.push(piece) {
            break;
        }
    }
    reader.finish()
}

/// The encoding is told as far as it was read: after a full page it depends on the pieces.
fn assert_same(whole: &Result<FilePage, PastEnd>, other: Result<FilePage, PastEnd>, data: &[u8]) {
    let other = other.map(|mut page| {
        if let Ok(whole) = whole
            && whole.stopped_at_bytes
        {
            page.encoding = whole.encoding;
        }
        page
    });
    assert!(*whole == other, "{whole:?} {other:?} {}", data.escape_ascii());
}

fn lines_of(data: &[u8]) -> (Vec<String>, Encoding) {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let decoded = char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}'));
        decoded.chain((bytes.len() % 2 == 1).then_some('\u{fffd}')).collect::<String>()
    };
    let (text, encoding) = match data {
        [0xff, 0xfe, rest @ ..] => (utf16(rest, u16::from_le_bytes), Encoding::Utf16Le),
        [0xfe, 0xff, rest @ ..] => (utf16(rest, u16::from_be_bytes), Encoding::Utf16Be),
        _ => {
            let rest = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
            let valid = std::str::from_utf8(rest).is_ok();
            let encoding = if valid { Encoding::Utf8 } else { Encoding::InvalidUtf8 };
            (String::from_utf8_lossy(rest).into_owned(), encoding)
        }
    };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    (text.split_terminator('\n').map(str::to_owned).collect(), encoding)
}

fn cut(line: &str) -> String {
    let mut units = 0;
    let kept: String = line
        .chars()
        .take_while(|c| {
            units += c.len_utf16();
            units <= MAX_LINE_UNITS
        })
        .collect();
    if kept.len() == line.len() {
        return kept;
    }
    format!("{kept}… (line cut, {} characters)", line.chars().count())
}
