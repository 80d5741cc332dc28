//! Archives that are whole, cut, damaged, and that lie.

use super::*;
use crate::writer::{NewEntry, zip};

const BOUNDS: ZipBounds = ZipBounds { unpacked: 1 << 20, ratio: 1000, entries: 100 };

/// The entries with their contents, the problems, and those of the end.
type Opened = (Vec<(String, Option<Vec<u8>>)>, Vec<String>, Vec<String>);

fn opened(bytes: &[u8], bounds: ZipBounds) -> Opened {
    let mut problems = ZipProblems::default();
    let mut archive = ZipArchive::open(bytes, bounds, &mut problems);
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let names: Vec<_> = archive.names().map(text).collect();
    let mut all = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        let content = archive.content(index, &mut problems).map(Cow::into_owned);
        all.push((name, content));
    }
    let said = |list: &ProblemList| list.iter().map(|p| p.message.clone()).collect();
    (all, said(&problems.sure), said(&problems.at_end))
}

fn some() -> Vec<NewEntry> {
    let repeated = [b'x'; 2000];
    vec![
        NewEntry::stored("b.json", b"{\"stored\":1}"),
        NewEntry::deflated("a.json", b"{\"deflated\":true}"),
        NewEntry::deflated("c/\u{e9}.json", &repeated),
        NewEntry::stored("empty", b""),
    ]
}

fn contents() -> Vec<(String, Option<Vec<u8>>)> {
    vec![
        ("b.json".into(), Some(b"{\"stored\":1}".to_vec())),
        ("a.json".into(), Some(b"{\"deflated\":true}".to_vec())),
        ("c/\u{e9}.json".into(), Some([b'x'; 2000].to_vec())),
        ("empty".into(), Some(Vec::new())),
    ]
}

/// The offset of the directory.
fn directory(bytes: &[u8]) -> usize {
    memchr::memmem::find(bytes, b"PK\x01\x02").unwrap()
}

#[test]
fn entries_are_in_the_order_of_the_directory() {
    assert_eq!(opened(&zip(&some()), BOUNDS), (contents(), vec![], vec![]));
    // With a comment at the end.
    let mut bytes = zip(&some());
    let length = bytes.len();
    bytes[length - 2] = 3;
    bytes.extend(b"PK\x05");
    assert_eq!(opened(&bytes, BOUNDS), (contents(), vec![], vec![]));
}

#[test]
fn without_a_directory_the_headers_are_read() {
    let lost = "the archive is cut off: its directory is missing; the entries that are found without it are read";
    for described in [false, true] {
        let entries: Vec<_> = some()
            .into_iter()
            .map(|entry| if described { entry.described_after() } else { entry })
            .collect();
        let bytes = zip(&entries);
        assert_eq!(opened(&bytes, BOUNDS), (contents(), vec![], vec![]), "{described}");
        let cut = &bytes[..directory(&bytes)];
        assert_eq!(opened(cut, BOUNDS), (contents(), vec![], vec![lost.to_owned()]), "{described}");
    }
}

#[test]
fn descriptors_may_lack_their_signature_and_have_64_bits() {
    for (signature, wide) in [(true, true), (false, false), (false, true)] {
        let content = b"{\"a\":[1,2,3]}";
        let entry = NewEntry::deflated("a.json", content).described_after();
        let (packed, crc) = (entry.packed.len(), entry.crc);
        let mut bytes = zip(&[entry]);
        bytes.truncate(30 + 6 + packed);
        if signature {
            bytes.extend(b"PK\x07\x08");
        }
        bytes.extend(crc.to_le_bytes());
        for number in [packed as u64, content.len() as u64] {
            bytes.extend(&number.to_le_bytes()[..if wide { 8 } else { 4 }]);
        }
        bytes.extend(zip(&[NewEntry::stored("b.json", b"1")]));
        bytes.truncate(directory(&bytes));
        let (all, sure, _) = opened(&bytes, BOUNDS);
        assert_eq!(sure, Vec::<String>::new());
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].1.as_deref(), Some(&content[..]));
    }
}

#[test]
fn numbers_may_have_64_bits() {
    let content = b"{\"a\":1}";
    let mut bytes = zip(&[NewEntry::stored("a.json", content)]);
    let at = directory(&bytes);
    let end = bytes.len() - 22;
    // The local header: its lengths are in an extra field.
    let mut wide = bytes[..30].to_vec();
    wide[18..26].fill(0xff);
    wide[28] = 20;
    wide.extend(b"a.json\x01\x00\x10\x00");
    wide.extend((content.len() as u64).to_le_bytes().repeat(2));
    wide.extend(content);
    let start = wide.len() as u64;
    // The directory: also the offset of the header.
    let mut entry = bytes[at..end].to_vec();
    entry[20..28].fill(0xff);
    entry[42..46].fill(0xff);
    entry[30] = 32;
    entry.extend(b"\x99\x99\x00\x00\x01\x00\x18\x00");
    entry.extend((content.len() as u64).to_le_bytes().repeat(2));
    entry.extend(0_u64.to_le_bytes());
    let size = entry.len() as u64;
    wide.extend(entry);
    let record = wide.len() as u64;
    wide.extend(b"PK\x06\x06");
    wide.extend(44_u64.to_le_bytes());
    wide.extend([0; 12]);
    for number in [1, 1, size, start] {
        wide.extend(u64::to_le_bytes(number));
    }
    wide.extend(b"PK\x06\x07\0\0\0\0");
    wide.extend(record.to_le_bytes());
    wide.extend(1_u32.to_le_bytes());
    bytes = bytes.split_off(end);
    bytes[8..20].fill(0xff);
    wide.extend(bytes);
    let expected = vec![("a.json".to_owned(), Some(content.to_vec()))];
    assert_eq!(opened(&wide, BOUNDS), (expected.clone(), vec![], vec![]));
    // The same by the header.
    let (all, ..) = opened(&wide[..usize::try_from(start).unwrap()], BOUNDS);
    assert_eq!(all, expected);
}

#[test]
fn what_is_whole_before_a_cut_is_read() {
    for described in [false, true] {
        let entries: Vec<_> = some()
            .into_iter()
            .map(|entry| if described { entry.described_after() } else { entry })
            .collect();
        let bytes = zip(&entries);
        let mut most = 0;
        for cut in 6..bytes.len() {
            let (all, sure, at_end) = opened(&bytes[..cut], BOUNDS);
            assert_eq!(sure, Vec::<String>::new(), "{cut}");
            assert!(!at_end.is_empty(), "{cut}");
            assert!(all.len() >= most, "{cut}");
            most = all.len();
            assert_eq!(all, contents()[..most], "{cut}");
        }
        assert_eq!(most, 4);
    }
}

#[test]
fn a_broken_directory_is_not_used() {
    let mut bytes = zip(&some());
    let at = directory(&bytes);
    bytes[at] = b'x';
    let (all, sure, _) = opened(&bytes, BOUNDS);
    assert_eq!(all, contents());
    assert!(sure[0].starts_with("the directory of the archive is broken"), "{sure:?}");
}

#[test]
fn bytes_that_are_no_entry_are_skipped() {
    let mut bytes = zip(&some()[..1]);
    bytes.truncate(directory(&bytes));
    bytes.extend(b"garbage PK");
    bytes.extend(zip(&some()[1..2]));
    bytes.truncate(directory(&bytes));
    let (all, sure, _) = opened(&bytes, BOUNDS);
    assert_eq!(all, contents()[..2]);
    assert_eq!(sure, ["something that is no entry; it is skipped"]);
}

#[test]
fn lies_about_sizes_and_names_are_told() {
    let lie = |change: fn(&mut NewEntry)| {
        let mut entries = some();
        change(&mut entries[1]);
        let (all, sure, _) = opened(&zip(&entries), BOUNDS);
        assert_eq!(all.len(), 4);
        (all[1].clone(), sure)
    };
    let content = Some(b"{\"deflated\":true}".to_vec());
    let ((_, read), sure) = lie(|entry| entry.size = 5);
    assert_eq!(read, content);
    assert_eq!(sure, ["a.json: it says that it has 5 bytes, and has 17"]);
    let ((_, read), sure) = lie(|entry| entry.size = u64::from(u32::MAX) - 1);
    assert_eq!((read, sure.len()), (content.clone(), 1));
    let ((_, read), sure) = lie(|entry| entry.crc ^= 1);
    assert_eq!(read, content);
    assert_eq!(sure, ["a.json: its bytes are damaged: their checksum is another one"]);
    let ((name, read), sure) = lie(|entry| entry.own_name = "../../etc/passwd".to_owned());
    assert_eq!((name.as_str(), read), ("a.json", content));
    assert_eq!(sure, ["a.json: its own header calls it ../../etc/passwd"]);
}

#[test]
fn lengths_beyond_the_archive_are_no_entries() {
    let bytes = zip(&some());
    let at = directory(&bytes);
    // The packed length in the directory; then also in the header, without a directory.
    let mut lying = bytes.clone();
    lying[at + 20..at + 24].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
    let (all, sure, _) = opened(&lying, BOUNDS);
    assert_eq!(all, contents()[1..]);
    assert_eq!(sure, ["b.json: it says that it is longer than the archive; it is left out"]);
    let mut lying = bytes[..at].to_vec();
    lying[18..22].copy_from_slice(&0x7fff_fff0_u32.to_le_bytes());
    let (all, _, at_end) = opened(&lying, BOUNDS);
    assert_eq!(all, contents()[1..]);
    assert!(at_end[1].starts_with("b.json: the archive is cut off in it"), "{at_end:?}");
    // A header that is not where the directory says.
    let mut lying = bytes;
    lying[at + 42] = 1;
    let (all, sure, _) = opened(&lying, BOUNDS);
    assert_eq!((all.len(), sure.len()), (3, 1));
}

#[test]
fn what_cannot_be_unpacked_is_left_out() {
    let mut entries = some();
    entries[0].method = 93;
    entries[1].flags = 1;
    entries[2].packed[0] = 0b111;
    entries[3].method = 77;
    let (all, sure, _) = opened(&zip(&entries), BOUNDS);
    assert!(all.iter().all(|(_, content)| content.is_none()));
    assert_eq!(
        sure,
        [
            "b.json: it is compressed with zstd, which is not read; it is left out",
            "a.json: it is encrypted, which is not read; it is left out",
            "c/\u{e9}.json: its packed bytes are damaged; it is left out",
            "empty: it is compressed with method 77, which is not read; it is left out",
        ]
    );
    let mut entry = NewEntry::deflated("a.json", b"some text");
    entry.packed.truncate(5);
    let (_, sure, _) = opened(&zip(&[entry]), BOUNDS);
    assert_eq!(sure, ["a.json: its packed bytes end too early; it is left out"]);
}

#[test]
fn what_is_unpacked_is_bounded() {
    let bounds = ZipBounds { unpacked: 3000, ratio: 100, entries: 3 };
    let zeros = |name: &str, length: usize| NewEntry::deflated(name, &vec![0; length]);
    // 258 of these become 13 bits.
    let long = 1 + 40 * 258;
    let bytes = zip(&[zeros("a", long), zeros("b", 300)]);
    let (all, sure, _) = opened(&bytes, ZipBounds { unpacked: 20_000, ..bounds });
    assert_eq!(all, [("a".to_owned(), None), ("b".to_owned(), Some(vec![0; 300]))]);
    assert_eq!(sure, ["a: it is more than 100 times as long as it is packed; it is left out"]);
    // Over all entries; exactly as much as allowed is allowed.
    let most = [
        NewEntry::stored("a", &[1; 1000]),
        NewEntry::deflated("b", &[1, 2].repeat(1000)),
        NewEntry::stored("c", b"1"),
    ];
    let (all, sure, _) = opened(&zip(&most), bounds);
    assert!(all[0].1.is_some() && all[1].1.is_some() && all[2].1.is_none());
    assert_eq!(sure, ["c: the archive unpacks to more than 3000 bytes; it is left out"]);
    // The number of entries, with a directory and without.
    let bytes = zip(&some());
    for bytes in [&bytes[..], &bytes[..directory(&bytes)]] {
        let (all, sure, _) = opened(bytes, bounds);
        assert_eq!(all, contents()[..3]);
        assert_eq!(sure, ["the archive has more than 3 entries; the others are left out"]);
    }
}

#[test]
fn overlapping_entries_are_left_out() {
    // A thousand entries of the directory for one header.
    let mut bytes = zip(&[NewEntry::deflated("a", &[7; 600])]);
    let at = directory(&bytes);
    let end = bytes.split_off(bytes.len() - 22);
    let entry = bytes[at..].to_vec();
    let size = 1000 * entry.len();
    bytes.truncate(at);
    bytes.extend(entry.repeat(1000));
    bytes.extend(&end[..8]);
    bytes.extend([0xe8, 3, 0xe8, 3]);
    bytes.extend(u32::try_from(size).unwrap().to_le_bytes());
    bytes.extend(&end[16..]);
    let (all, sure, _) = opened(&bytes, ZipBounds { entries: 10_000, ..BOUNDS });
    assert_eq!((all.len(), sure.len()), (1, 999));
    assert_eq!(sure[0], "a: it has the same bytes as an entry before it; it is left out");
    // One inside another.
    let inner = NewEntry::stored("inner", b"abc");
    let inside = zip(&[inner]);
    let outer = NewEntry::stored("outer", &inside[..directory(&inside)]);
    let mut bytes = zip(&[outer, NewEntry::stored("inner", b"abc")]);
    let at = directory(&bytes);
    let second = at + memchr::memmem::find(&bytes[at + 1..], b"PK\x01\x02").unwrap() + 1;
    bytes[second + 42..second + 46].copy_from_slice(&35_u32.to_le_bytes());
    let (all, sure, _) = opened(&bytes, BOUNDS);
    assert_eq!((all.len(), sure.len()), (1, 1), "{sure:?}");
}

/// Headers in headers, each with an end that has to be looked for.
#[test]
fn looking_for_ends_is_bounded() {
    for method in [0_u8, 8] {
        let mut header = b"PK\x03\x04\x14\0\x08\0".to_vec();
        header.extend([method, 0]);
        header.extend([0; 20]);
        // A stored block that goes on over all that follows.
        if method == 8 {
            header.extend(b"\0\xff\xff\0\0");
        }
        let bytes = header.repeat(20_000);
        let (all, ..) = opened(&bytes, ZipBounds { entries: 1 << 20, ..BOUNDS });
        assert_eq!(all.len(), 0);
    }
}

#[test]
fn damage_anywhere_is_harmless() {
    let entries: Vec<_> = some().into_iter().map(NewEntry::described_after).collect();
    for bytes in [zip(&some()), zip(&entries)] {
        for at in 0..bytes.len() {
            for byte in [0, 1, 0x80, 0xff, bytes[at] ^ 4] {
                let mut damaged = bytes.clone();
                damaged[at] = byte;
                opened(&damaged, BOUNDS);
                opened(&damaged[..at.max(4)], BOUNDS);
            }
        }
    }
}
