use super::*;
use proptest::prelude::*;

/// The text that counts, with `¦` at each boundary; read in chunks of this size.
fn read(text: &str, size: usize) -> String {
    let mut lines = LineFilter::default();
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(size.max(1)) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let piece = lines.take(rest);
            let (now, later) = rest.split_at(piece.length);
            if piece.counts {
                out.push_str(&String::from_utf8_lossy(now));
            }
            if piece.boundary {
                out.push('¦');
            }
            rest = later;
        }
    }
    out
}

fn counts(text: &str) -> String {
    let whole = read(text, text.len());
    for size in 1..8 {
        assert_eq!(read(text, size), whole, "{text:?} in chunks of {size}");
    }
    whole
}

#[test]
fn text_counts_and_code_does_not() {
    for (text, want) in [
        ("a\n\n  b\n", "a\n\n  b\n"),
        ("```\ncode\n```\ntext", "```\n¦text"),
        ("```js {1}\ncode\n```  \ntext", "```js {1}\n¦text"),
        ("~~~ `x`\ncode\n~~~\ntext", "~~~ `x`\n¦text"),
        ("  ```\ncode\n   ```\r\ntext", "  ```\n¦text"),
        ("``\ntext", "``\ntext"),
        ("``~\ntext", "``~\ntext"),
        // A fence is closed by one of the same character that is at least as long, with nothing after it.
        ("````\n```\ncode\n```\n````\ntext", "````\n¦text"),
        ("```\ncode\n`````\ntext", "```\n¦text"),
        ("```\n~~~\ncode\n```\ntext", "```\n¦text"),
        ("```\n``` js\ncode\n```\ntext", "```\n¦text"),
        ("```\n```x```\ncode\n```\ntext", "```\n¦text"),
        // Inline code is not a fence.
        ("```code``` is inline\ntext", "```code``` is inline\ntext"),
        ("````a``` b` c\ntext", "````a``` b` c\ntext"),
        // Quotes.
        ("> ```\n> code\n> ```\n> text", "> ```\n¦> text"),
        ("> ```\n> code\ntext", "> ```\n¦text"),
        ("> ```\n> code\n\ntext", "> ```\n¦\ntext"),
        (">> ```\n>> code\n> text", ">> ```\n¦text"),
        ("```\n> ```\ncode\n```\ntext", "```\n¦text"),
        ("> text\n> more", "> text\n> more"),
    ] {
        assert_eq!(counts(text), want, "{text:?}");
    }
}

#[test]
fn table_rows_do_not_count() {
    for (text, want) in [
        ("|a|b|\n|-|-|\n|c|d|\ntext", "¦¦¦text"),
        ("> | a |\n> text", "> ¦> text"),
        // Lines that do not begin with a bar are table rows only after a delimiter row.
        ("a | b\n--- | ---\nc | d\ne | f\n\ng | h", "a | b\n--- | ---\n¦c ¦e ¦\ng | h"),
        (":-: | -\nc | d\nno row\ne | f", ":-: | -\n¦c ¦no row\ne | f"),
        ("a | b\na | b\n", "a | b\na | b\n"),
        ("a\n---\nb | c\n", "a\n---\nb | c\n"),
        ("- a | b\n- c | d\n", "- a | b\n- c | d\n"),
        ("- | -\n```\na | b\n```\na | b\n", "- | -\n¦```\n¦a | b\n"),
        ("- | -\n- | -\na | b", "- | -\n¦- ¦a ¦"),
    ] {
        assert_eq!(counts(text), want, "{text:?}");
    }
}

proptest! {
    #[test]
    fn the_size_of_chunks_does_not_matter(text in "[`~>|:\n -]{0,12}[`~>|:\n -a]{0,60}", size in 1usize..20) {
        prop_assert_eq!(read(&text, size), read(&text, text.len()));
        prop_assert_eq!(read(&text, size), read(&text, 1));
    }

    #[test]
    fn numbers_restore_the_state(text in "[`~>|:\n -a]{0,40}") {
        let mut lines = LineFilter::default();
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            rest = &rest[lines.take(rest).length..];
        }
        prop_assert_eq!(LineFilter::from_numbers(lines.numbers()), Some(lines));
    }
}
