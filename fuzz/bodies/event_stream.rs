//! Amazon's binary event stream: frames that are made here, with their own checksum, come out as they were meant, and
//! damage costs what it must and no more.

use super::dice::Dice;
use super::framing::framed_in_pieces;
use apex_parts::wire::FrameFault;

/// The lengths and their checksum.
const PRELUDE: usize = 12;

/// A record or the fault of a frame, and the offset of the frame.
type Read = (Result<Vec<u8>, FrameFault>, u64);

/// A frame, and what it says.
struct Made {
    bytes: Vec<u8>,
    says: Says,
}

enum Says {
    Record(Vec<u8>),
    /// Its type has no meaning.
    Nothing,
    /// Its headers are none.
    BadHeaders,
}

/// CRC-32 bit by bit, as the standard has it.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let carry = crc & 1;
            crc >>= 1;
            if carry == 1 {
                crc ^= 0xEDB8_8320;
            }
        }
    }
    !crc
}

fn frame(headers: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    for length in [16 + headers.len() + payload.len(), headers.len()] {
        frame.extend((length as u32).to_be_bytes());
    }
    frame.extend(crc32(&frame).to_be_bytes());
    frame.extend(headers);
    frame.extend(payload);
    frame.extend(crc32(&frame).to_be_bytes());
    frame
}

fn text_header(name: &str, value: &[u8]) -> Vec<u8> {
    let length = (value.len() as u16).to_be_bytes();
    [&[name.len() as u8], name.as_bytes(), &[7], &length, value].concat()
}

/// A header of some type that says nothing.
fn other_header(dice: &mut Dice) -> Vec<u8> {
    let (kind, length) =
        [(0, 0), (1, 0), (2, 1), (3, 2), (4, 4), (5, 8), (8, 8), (9, 16), (6, 5), (7, 5)]
            [dice.roll(10)];
    // Those of a variable length say it.
    let mut value: Vec<u8> = if kind == 6 || kind == 7 { vec![0, 3] } else { Vec::new() };
    value.resize(length, dice.roll(256) as u8);
    [&[3], &b":id"[..], &[kind], &value].concat()
}

/// A frame with a payload of these bytes, or of JSON.
fn made(dice: &mut Dice, data: &[u8]) -> Made {
    let name = ["messageStart", "chunk", "", "a \"b\"\n", "é😀"][dice.roll(5)];
    let from = dice.roll(data.len() + 1);
    let some = &data[from..from + dice.roll(data.len() + 1 - from)];
    let payload = [&b"{\"a\":1}"[..], b"", b" {\"p\":\"abc\"}\n", some][dice.roll(4)];
    let json = |text: &str| serde_json::Value::from(text).to_string();
    let named = |payload: &[u8]| {
        let payload = payload.trim_ascii();
        let payload = if payload.is_empty() { b"{}" } else { payload };
        [b"{", json(name).as_bytes(), b":", payload, b"}"].concat()
    };
    let (mut headers, says) = match dice.roll(6) {
        0 => {
            let headers = [
                text_header(":message-type", b"exception"),
                text_header(":exception-type", name.as_bytes()),
            ];
            (headers.concat(), Says::Record(named(payload)))
        }
        1 => {
            let message = String::from_utf8_lossy(some).into_owned();
            let headers = [
                text_header(":error-message", message.as_bytes()),
                text_header(":error-code", name.as_bytes()),
                text_header(":message-type", b"error"),
            ];
            let message = json(message.trim_ascii());
            let record = format!("{{\"error\":{{\"code\":{},\"message\":{message}}}}}", json(name));
            (headers.concat(), Says::Record(record.into_bytes()))
        }
        2 => (text_header(":message-type", b"initial-response"), Says::Nothing),
        _ => {
            let headers = [
                text_header(":event-type", name.as_bytes()),
                text_header(":message-type", b"event"),
            ];
            (headers.concat(), Says::Record(named(payload)))
        }
    };
    if dice.roll(2) == 0 {
        headers.extend(other_header(dice));
    }
    let bad: &[&[u8]] = &[
        &[1, b'a', 10],
        &[9, b'a', 0],
        &[1, b'a', 7, 0xFF, 0xFF, 0],
        &[1],
        &[11, b':', b'e', b'v', b'e', b'n', b't', b'-', b't', b'y', b'p', b'e', 7, 0, 1, 0xFF],
    ];
    let says = match dice.roll(8) {
        0 => {
            headers.extend(bad[dice.roll(bad.len())]);
            Says::BadHeaders
        }
        _ => says,
    };
    Made { bytes: frame(&headers, payload), says }
}

/// What a stream of these frames gives, of which only the first `length` bytes came and the byte `damaged` is another.
fn expected(made: &[Made], length: usize, damaged: Option<usize>, max: usize) -> Vec<Read> {
    let mut found = Vec::new();
    let mut at = 0;
    for Made { bytes, says } in made {
        let here = length.saturating_sub(at);
        if here == 0 {
            break;
        }
        let offset = at as u64;
        let damaged = damaged.filter(|damaged| (at..at + bytes.len()).contains(damaged));
        at += bytes.len();
        let in_prelude = damaged.is_some_and(|damaged| damaged - (at - bytes.len()) < PRELUDE);
        if here >= PRELUDE && in_prelude {
            found.push((Err(FrameFault::Prelude), offset));
            break;
        }
        let said = match says {
            _ if here >= PRELUDE && bytes.len() > max => Err(FrameFault::TooLong),
            _ if here < bytes.len() => Err(FrameFault::Truncated),
            _ if damaged.is_some() => Err(FrameFault::Checksum),
            Says::BadHeaders => Err(FrameFault::Headers),
            Says::Nothing => continue,
            Says::Record(record) => Ok(record.clone()),
        };
        found.push((said, offset));
    }
    found
}

/// What a stream gives, in whatever pieces it comes.
fn read(dice: &mut Dice, bytes: &[u8], max: usize) -> Vec<Read> {
    let (records, _) = framed_in_pieces(dice, bytes, max);
    records.into_iter().map(|(_, record, offset)| (record, offset)).collect()
}

/// Frames come out as they were made, whatever the pieces. A byte that is another costs its frame, or in a prelude all
/// that follows, and is one fault; so is a frame that lacks its end. Bytes that are no frames are read, too.
pub fn event_stream(data: &[u8]) {
    let mut dice = Dice::new(data);
    let made: Vec<Made> = (0..1 + dice.roll(5)).map(|_| made(&mut dice, data)).collect();
    let mut bytes: Vec<u8> = made.iter().flat_map(|made| made.bytes.iter().copied()).collect();
    // Without the first prelude it is no event stream.
    let after = |dice: &mut Dice, length: usize| PRELUDE + dice.roll(length - PRELUDE);
    let damaged = (dice.roll(2) == 0).then(|| after(&mut dice, bytes.len()));
    if let Some(damaged) = damaged {
        bytes[damaged] ^= 1 + dice.roll(255) as u8;
    }
    if dice.roll(3) == 0 {
        let length = after(&mut dice, bytes.len() + 1);
        bytes.truncate(length);
    }
    for max in [usize::MAX, 64 + dice.roll(64)] {
        let found = read(&mut dice, &bytes, max);
        assert_eq!(found, expected(&made, bytes.len(), damaged, max), "{}", bytes.escape_ascii());
        let rest = [&made[0].bytes[..], data].concat();
        read(&mut dice, &rest, max);
        read(&mut dice, data, max);
    }
}
