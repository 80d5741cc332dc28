//! Estimates of the tokens of texts and files.

use apex_parts::compaction::tokens::chars::of_units;
use apex_parts::compaction::tokens::classes::classes;
use apex_parts::compaction::tokens::media::media_tokens;
use apex_parts::json::utf16::{json_units_of_raw, utf16_of_raw};

/// Any bytes have a length, that of their text, and any text and any file a number of tokens.
pub fn compaction_tokens(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let units = text.encode_utf16().count();
    let json = serde_json::to_string(&*text).expect("a text can be written");
    let written = json.encode_utf16().count() - 2;
    let raw = &json.as_bytes()[1..json.len() - 1];
    assert_eq!(utf16_of_raw(raw), units);
    assert_eq!(json_units_of_raw(raw), written);
    // As if the bytes stood in a file. If they are a JSON string, serde_json says what their text is.
    assert!(utf16_of_raw(data) <= data.len() && json_units_of_raw(data) <= 6 * data.len());
    if let Ok(read) = serde_json::from_slice::<String>(&[b"\"", data, b"\""].concat()) {
        assert_eq!(utf16_of_raw(data), read.encode_utf16().count());
        let written = serde_json::to_string(&read).expect("a text can be written");
        assert_eq!(json_units_of_raw(data), written.encode_utf16().count() - 2);
    }

    let tokens = classes(&text);
    assert!(tokens >= 0.0 && tokens <= 1.65 * units as f64 + 0.01);
    assert!(of_units(units) <= units as f64 / 4.0 + 0.5);
    for mime in ["image/png", "application/pdf", "audio/wav", &*text] {
        for head in
            ["", "data:,", "data:;base64,", "data:image/jpeg;base64,/9j/", "data:;base64,UklGR"]
        {
            let tokens = media_tokens(mime, &format!("{head}{text}"));
            assert!(tokens.is_finite() && tokens >= 0.0);
            assert!(mime != "image/png" || (1.0..=1600.0).contains(&tokens));
        }
    }
}
