use super::*;
use proptest::prelude::*;

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
            text.push(if i > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    text
}

fn tokens(mime: &str, bytes: &[u8]) -> f64 {
    let percent: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    let tokens = media_tokens(mime, &format!("data:{mime};base64,{}", base64(bytes)));
    assert_eq!(media_tokens(mime, &format!("data:{mime},{percent}")), tokens);
    tokens
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    [&head[..], &width.to_be_bytes(), &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat()
}

fn gif(width: u16, height: u16) -> Vec<u8> {
    [&b"GIF89a"[..], &width.to_le_bytes(), &height.to_le_bytes(), &[0, 0, 0]].concat()
}

/// A segment of this kind.
fn segment(kind: u8, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len() + 2).unwrap();
    [&[0xff, kind][..], &length.to_be_bytes(), data].concat()
}

fn jpeg(before: &[u8], kind: u8, width: u16, height: u16) -> Vec<u8> {
    let frame = [&[8][..], &height.to_be_bytes(), &width.to_be_bytes(), &[3, 1, 0x22, 0]].concat();
    [&[0xff, 0xd8][..], before, &segment(kind, &frame)].concat()
}

fn webp(kind: &[u8; 4], chunk: &[u8]) -> Vec<u8> {
    [&b"RIFF\x24\0\0\0WEBP"[..], kind, &[24, 0, 0, 0], chunk, &[0; 8]].concat()
}

#[test]
fn images_cost_by_their_size() {
    let comment = segment(0xfe, &[7; 300]);
    let padded =
        [&[0xff; 5][..], &segment(0xe1, &[0; 60_000])[1..], &segment(0xc4, &[1; 20])].concat();
    let lossless = (799_u32 | 599 << 14).to_le_bytes();
    for (bytes, expected) in [
        (png(1, 1), 1.0),
        (png(750, 1), 1.0),
        (png(751, 1), 2.0),
        (png(800, 600), 640.0),
        (png(4000, 3000), 1600.0),
        (png(u32::MAX, u32::MAX), 1600.0),
        (gif(800, 600), 640.0),
        (jpeg(&[], 0xc0, 800, 600), 640.0),
        (jpeg(&comment, 0xc2, 800, 600), 640.0),
        (jpeg(&padded, 0xcf, 800, 600), 640.0),
        (webp(b"VP8 ", &[0, 0, 0, 0x9d, 1, 0x2a, 0x20, 0x43, 0x58, 0x82]), 640.0),
        (webp(b"VP8L", &[&[0x2f][..], &lossless].concat()), 640.0),
        (webp(b"VP8X", &[0x10, 0, 0, 0, 0x1f, 3, 0, 0x57, 2, 0]), 640.0),
    ] {
        for mime in ["image/png", "image/jpeg", "IMAGE/WEBP ; q=1"] {
            assert_eq!(tokens(mime, &bytes), expected, "{bytes:x?}");
        }
    }
}

#[test]
fn headers_that_do_not_say_it_give_the_default() {
    let endless = segment(0xe2, &[9; 65_000]).repeat(100);
    let mut empty_segment = jpeg(&[], 0xc0, 800, 600);
    empty_segment.splice(2..2, [0xff, 0xe0, 0, 0]);
    let mut short_segment = jpeg(&[], 0xc0, 800, 600);
    short_segment.splice(2..2, [0xff, 0xe0, 0, 1]);
    for bytes in [
        vec![],
        vec![0xff],
        vec![0xff, 0xd8],
        vec![0xff; 5000],
        png(0, 600),
        png(800, 0),
        gif(0, 0),
        jpeg(&[], 0xc0, 800, 0),
        jpeg(&segment(0xda, &[0; 8]), 0xc0, 800, 600),
        jpeg(&[0, 0], 0xc0, 800, 600),
        jpeg(&endless, 0xc0, 800, 600),
        empty_segment,
        short_segment,
        png(800, 600)[..23].to_vec(),
        gif(800, 600)[..9].to_vec(),
        jpeg(&[], 0xc0, 800, 600)[..10].to_vec(),
        webp(b"VP8 ", &[0, 0, 0, 0, 1, 0x2a, 0x20, 3, 0x58, 2]),
        webp(b"VP8L", &[0x2e, 0, 0, 0, 0]),
        webp(b"VP8?", &[0; 10]),
        b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(),
    ] {
        assert_eq!(tokens("image/png", &bytes), 1600.0, "{:x?}", &bytes[..bytes.len().min(40)]);
    }
    for url in ["", "data:", "data:image/png;base64", "https://example.com/a.png", "file:///a.png"]
    {
        assert_eq!(media_tokens("image/png", url), 1600.0);
    }
    // As many digits as they like: they are not the size.
    let url = format!("data:image/png;base64,{}", "A".repeat(400_000));
    assert_eq!(media_tokens("image/png", &url), 1600.0);
}

#[test]
fn pages_of_a_pdf_are_counted() {
    for (pdf, pages) in [
        (
            "%PDF-1.4 << /Type /Pages /Kids [1 0 R] >> <</Type/Page/Parent 1 0 R>> << /Type /Page >>",
            2.0,
        ),
        ("<< /Type\r\n  /Page\r\n>>", 1.0),
        ("/Type /Page", 1.0),
        ("/Type /Page/Type /Page<</Type/Page[", 3.0),
        ("/Type /Catalog /PageMode /Page >> /TypeX /Page /Typ /Page /Type x /Page", 4.0),
        ("/Type /PageLabel /Type /Pages /Type / Page", 4.0),
        ("//Type//Type /Page ", 1.0),
        ("", 4.0),
    ] {
        assert_eq!(tokens("application/pdf", pdf.as_bytes()), pages * 2000.0, "{pdf}");
    }
    for url in ["https://example.com/a.pdf", "data:application/pdf;base64,!", ""] {
        assert_eq!(media_tokens("application/pdf", url), 8000.0);
    }
}

/// Wherever the pieces end in which it is decoded.
#[test]
fn long_pdfs_are_counted_to_their_end() {
    for shift in 0..40 {
        let mut pdf = "x".repeat(12 * 1024 - 20 + shift);
        pdf.push_str("<</Type /Page>>");
        pdf.push_str(&" ".repeat(30_000));
        pdf.push_str("/Type /Page ");
        assert_eq!(tokens("application/pdf", pdf.as_bytes()), 4000.0, "{shift}");
    }
}

#[test]
fn other_files_cost_by_the_length_of_their_data() {
    for (len, expected) in [(0, 0.0), (1, 0.0), (2, 1.0), (400, 100.0), (4001, 1000.0)] {
        assert_eq!(tokens("audio/wav", &vec![b'x'; len]), expected);
    }
    assert_eq!(media_tokens("text/csv", "data:text/csv,a%2Cb%0A1,2"), 2.0);
    assert_eq!(media_tokens("text/csv", "data:text/csv;base64,YWJj\nZGVm"), 2.0);
    assert_eq!(media_tokens("audio/wav", "https://example.com/long.wav"), 1600.0);
}

proptest! {
    #[test]
    fn any_url_gives_a_number(
        mime in "image/png|application/pdf|audio/wav|.{0,10}",
        url in "(data:[a-z/;=]{0,12}(;base64)?,)?(?s).{0,60}",
    ) {
        let tokens = media_tokens(&mime, &url);
        prop_assert!(tokens.is_finite() && tokens >= 0.0);
    }

    #[test]
    fn damaged_headers_cost_no_more_than_the_default(
        which in 0_usize..5, cut in 0_usize..60, at in 0_usize..40, byte: u8,
    ) {
        let mut bytes = [
            png(800, 600), gif(800, 600), jpeg(&segment(0xe0, &[1; 14]), 0xc0, 800, 600),
            webp(b"VP8 ", &[0, 0, 0, 0x9d, 1, 0x2a, 0x20, 3, 0x58, 2]), webp(b"VP8X", &[0; 10]),
        ][which].clone();
        if let Some(place) = bytes.get_mut(at) {
            *place = byte;
        }
        bytes.truncate(cut);
        let tokens = media_tokens("image/png", &format!("data:;base64,{}", base64(&bytes)));
        prop_assert!((1.0..=1600.0).contains(&tokens));
    }
}
