use super::*;

/// A log of frames: the number of a page, the size of the database or 0, and the byte that fills the page.
pub(crate) fn log(is_big: bool, frames: &[(u32, u32, u8)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let words =
        [if is_big { 0x377f_0683_u32 } else { 0x377f_0682 }, VERSION, 512, 0, 0xaaaa, 0xbbbb];
    for word in words {
        bytes.extend(word.to_be_bytes());
    }
    let mut sum = checksum(&bytes, is_big, (0, 0));
    bytes.extend(sum.0.to_be_bytes());
    bytes.extend(sum.1.to_be_bytes());
    for (number, size, fill) in frames {
        let head = [number.to_be_bytes(), size.to_be_bytes()].concat();
        let page = vec![*fill; 512];
        sum = checksum(&page, is_big, checksum(&head, is_big, sum));
        bytes.extend(head);
        for word in [0xaaaa_u32, 0xbbbb, sum.0, sum.1] {
            bytes.extend(word.to_be_bytes());
        }
        bytes.extend(page);
    }
    bytes
}

fn read(bytes: &[u8]) -> Option<WriteAheadLog> {
    WriteAheadLog::read(Box::new(bytes.to_vec())).unwrap()
}

fn fill(log: &mut WriteAheadLog, page: u32) -> Option<u8> {
    let place = log.place(page)?;
    Some(log.page(place).unwrap()[0])
}

#[test]
fn the_last_committed_frame_of_a_page_counts() {
    for is_big in [false, true] {
        let frames = [(2, 0, 1), (3, 3, 2), (2, 3, 3), (9, 0, 4), (2, 0, 5)];
        let mut log = read(&log(is_big, &frames)).unwrap();
        assert_eq!((log.pages, log.page_size), (3, 512));
        assert_eq!(fill(&mut log, 2), Some(3));
        assert_eq!(fill(&mut log, 3), Some(2));
        assert_eq!(fill(&mut log, 9), None, "it was never committed");
    }
}

#[test]
fn what_is_damaged_does_not_count() {
    let whole = log(false, &[(1, 1, 1), (2, 2, 2), (3, 3, 3)]);
    for at in 0..32 {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        assert!(read(&bytes).is_none(), "byte {at} of the header");
    }
    for at in 32..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        let pages = read(&bytes).map_or(0, |log| log.pages);
        assert_eq!(pages as usize, (at - 32) / 536, "byte {at}");
    }
    for end in 0..whole.len() {
        let pages = read(&whole[..end]).map_or(0, |log| log.pages);
        assert_eq!(pages as usize, end.saturating_sub(32) / 536, "cut at {end}");
    }
}

#[test]
fn a_log_without_a_commit_is_none() {
    assert!(read(&log(false, &[(1, 0, 1), (2, 0, 2)])).is_none());
    assert!(read(&log(false, &[])).is_none());
    assert!(read(&[]).is_none());
}
