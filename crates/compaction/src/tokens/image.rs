//! The width and height of an image, from its header: PNG, GIF, WebP, JPEG.

/// How far into a JPEG its frame is looked for: before it stand profiles, previews and other metadata.
const JPEG_HEADER: usize = 4 << 20;

/// Width and height of the image whose bytes these are; `None` if the header does not say, or says 0.
pub(super) fn size(bytes: &mut impl Iterator<Item = u8>) -> Option<(u32, u32)> {
    let size = match take(bytes)? {
        [0xff, 0xd8] => jpeg(&mut bytes.take(JPEG_HEADER)),
        [0x89, b'P'] => png(take(bytes)?),
        [b'G', b'I'] => gif(take(bytes)?),
        [b'R', b'I'] => webp(take(bytes)?),
        _ => None,
    };
    size.filter(|(width, height)| *width > 0 && *height > 0)
}

/// The next bytes; `None` if there are fewer.
fn take<const N: usize>(bytes: &mut impl Iterator<Item = u8>) -> Option<[u8; N]> {
    let mut taken = [0; N];
    for byte in &mut taken {
        *byte = bytes.next()?;
    }
    Some(taken)
}

/// After its first two bytes: the signature, then the chunk IHDR with width and height.
fn png(header: [u8; 22]) -> Option<(u32, u32)> {
    match header {
        [b'N', b'G', b'\r', b'\n', 0x1a, b'\n', _, _, _, _, b'I', b'H', b'D', b'R', size @ ..] => {
            let [a, b, c, d, e, f, g, h] = size;
            Some((u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])))
        }
        _ => None,
    }
}

/// `GIF87a` or `GIF89a`, then the size of the screen.
fn gif(header: [u8; 8]) -> Option<(u32, u32)> {
    match header {
        [b'F', b'8', b'7' | b'9', b'a', a, b, c, d] => {
            Some((u16::from_le_bytes([a, b]).into(), u16::from_le_bytes([c, d]).into()))
        }
        _ => None,
    }
}

/// `RIFF`, a length, `WEBP`; then a chunk of one of three kinds, each with its own way of saying the size.
fn webp(header: [u8; 28]) -> Option<(u32, u32)> {
    let [b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', b'V', b'P', b'8', kind, rest @ ..] =
        header
    else {
        return None;
    };
    let [_, _, _, _, chunk @ ..] = rest;
    match (kind, chunk) {
        // Lossy: three bytes of the frame, a start code, then fourteen bits each.
        (b' ', [_, _, _, 0x9d, 0x01, 0x2a, a, b, c, d]) => {
            let of = |bytes| u32::from(u16::from_le_bytes(bytes) & 0x3fff);
            Some((of([a, b]), of([c, d])))
        }
        // Lossless: a signature, then fourteen bits each, less one.
        (b'L', [0x2f, a, b, c, d, ..]) => {
            let bits = u32::from_le_bytes([a, b, c, d]);
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        // Extended: flags, then three bytes each, less one.
        (b'X', [_, _, _, _, a, b, c, d, e, f]) => {
            Some((u32::from_le_bytes([a, b, c, 0]) + 1, u32::from_le_bytes([d, e, f, 0]) + 1))
        }
        _ => None,
    }
}

/// After its first marker: segments, up to that of a frame.
fn jpeg(bytes: &mut impl Iterator<Item = u8>) -> Option<(u32, u32)> {
    loop {
        if bytes.next()? != 0xff {
            return None;
        }
        // Any number of 0xff may stand before the byte that says the kind.
        let marker = bytes.find(|byte| *byte != 0xff)?;
        match marker {
            // Those without a length.
            0x01 | 0xd0..=0xd7 => continue,
            // Frames: their precision, height and width.
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                let [_, _, _, a, b, c, d] = take(bytes)?;
                return Some((
                    u16::from_be_bytes([c, d]).into(),
                    u16::from_be_bytes([a, b]).into(),
                ));
            }
            // The image data, the end, or none that can be here: no frame came before.
            0x00 | 0xd8..=0xda => return None,
            _ => {}
        }
        let length = usize::from(u16::from_be_bytes(take(bytes)?)).checked_sub(2)?;
        if length > 0 {
            bytes.nth(length - 1)?;
        }
    }
}
