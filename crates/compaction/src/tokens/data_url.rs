//! Data URLs: their bytes one after the other, without a copy, and how many they are.

use apex_parts_model::base64::{END, SPACE, is_digit, sextet};

/// The data of a data URL, not decoded.
#[derive(Clone, Copy)]
pub(super) struct DataUrl<'a> {
    body: &'a [u8],
    is_base64: bool,
}

impl<'a> DataUrl<'a> {
    /// `None` if the URL is of another kind.
    pub(super) fn parse(url: &'a str) -> Option<DataUrl<'a>> {
        let (scheme, rest) = url.trim_start().split_once(':')?;
        if !scheme.eq_ignore_ascii_case("data") {
            return None;
        }
        let (head, body) = rest.split_once(',')?;
        let (_, last) = head.rsplit_once(';').unwrap_or_default();
        let is_base64 = last.trim().eq_ignore_ascii_case("base64");
        Some(DataUrl { body: body.as_bytes(), is_base64 })
    }

    /// The bytes up to the first that cannot be decoded.
    pub(super) fn bytes(self) -> Bytes<'a> {
        Bytes { rest: self.body, is_base64: self.is_base64, bits: 0, count: 0 }
    }

    /// How many bytes they are. Nothing is decoded.
    pub(super) fn len(self) -> usize {
        let (mut rest, mut len) = (self.body, 0_usize);
        // Without percent signs, what base64 is written with is counted at the speed of memory.
        if self.is_base64 && memchr::memchr(b'%', rest).is_none() {
            len = rest.iter().filter(|byte| is_digit(**byte)).count();
            return len / 4 * 3 + len % 4 * 3 / 4;
        }
        while let Some(byte) = unescaped(&mut rest) {
            len += usize::from(!self.is_base64 || is_digit(byte));
        }
        if self.is_base64 { len / 4 * 3 + len % 4 * 3 / 4 } else { len }
    }
}

/// The next byte of the data; `%41` is one.
#[inline]
fn unescaped(rest: &mut &[u8]) -> Option<u8> {
    let (first, after) = rest.split_first()?;
    if *first == b'%'
        && let [high, low, after @ ..] = after
        && let Some(high) = char::from(*high).to_digit(16)
        && let Some(low) = char::from(*low).to_digit(16)
    {
        *rest = after;
        return u8::try_from(high << 4 | low).ok();
    }
    *rest = after;
    Some(*first)
}

/// The bytes of a data URL.
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
    is_base64: bool,
    /// Bits of base64 that are read and not yet given, and how many.
    bits: u32,
    count: u32,
}

impl Bytes<'_> {
    /// Decodes into the buffer, and gives how many bytes that were: 0 at the end.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> usize {
        let mut len = 0;
        if self.is_base64 && self.count == 0 {
            // Four digits at a time while nothing else comes.
            let (outs, _) = buffer.as_chunks_mut::<3>();
            for out in outs {
                let Some(([a, b, c, d], after)) = self.rest.split_first_chunk::<4>() else { break };
                let [a, b, c, d] = [sextet(*a), sextet(*b), sextet(*c), sextet(*d)];
                if (a | b | c | d) >= SPACE {
                    break;
                }
                *out = [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
                self.rest = after;
                len += 3;
            }
        }
        for (out, byte) in buffer.get_mut(len..).unwrap_or_default().iter_mut().zip(self) {
            *out = byte;
            len += 1;
        }
        len
    }
}

impl Iterator for Bytes<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if !self.is_base64 {
            return unescaped(&mut self.rest);
        }
        while self.count < 8 {
            match sextet(unescaped(&mut self.rest)?) {
                SPACE => {}
                END => {
                    self.rest = &[];
                    return None;
                }
                digit => {
                    self.bits = self.bits << 6 | u32::from(digit);
                    self.count += 6;
                }
            }
        }
        self.count -= 8;
        u8::try_from(self.bits >> self.count & 0xff).ok()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decoded(url: &str) -> Option<Vec<u8>> {
        DataUrl::parse(url).map(|data| data.bytes().collect())
    }

    #[test]
    fn data_are_decoded() {
        for (url, expected) in [
            ("data:,a%20b%2", Some("a b%2")),
            ("DATA:text/plain;charset=utf-8,x,y", Some("x,y")),
            ("data:image/png;x=y;Base64,YWJj ZA==", Some("abcd")),
            ("data:;base64,YWJ%6A%0AZA%3D%3D", Some("abcd")),
            ("data:;base64,YW!Jj", Some("a")),
            ("data:;base64,", Some("")),
            ("data:;base64", None),
            ("https://example.com/a,b", None),
            ("", None),
        ] {
            assert_eq!(decoded(url), expected.map(|text| text.as_bytes().to_vec()), "{url}");
        }
    }

    proptest! {
        #[test]
        fn reading_by_buffers_is_the_same(body in "[A-Za-z0-9+/ %=\n]{0,200}", size in 1_usize..40, is_base64: bool) {
            let data = DataUrl { body: body.as_bytes(), is_base64 };
            let whole: Vec<u8> = data.bytes().collect();
            let (mut pieces, mut bytes, mut buffer) = (Vec::new(), data.bytes(), vec![0; size]);
            loop {
                let len = bytes.read(&mut buffer);
                if len == 0 {
                    break;
                }
                pieces.extend_from_slice(&buffer[..len]);
            }
            prop_assert_eq!(&pieces, &whole);
            prop_assert!(data.len() >= whole.len());
            if !body.contains('=') {
                prop_assert!(data.len() <= whole.len() || body.contains('%'));
            }
        }
    }
}
