//! Character references and tags as they are written.

use super::{cases, texts};

#[test]
fn references_are_characters() {
    texts(&[
        ("&lt;tag&gt; &amp; &eacute;&Eacute;", "<tag> & éÉ"),
        ("&#65;&#x42;&#X43;&#68 &#x45", "ABCD E"),
        ("&mdash;&hellip;&rsquo;&euro;&trade;&rarr;", "—…’€™→"),
        ("&#150;&#x80;&#146;", "–€’"),
        ("&#0;&#xD800;&#x110000;&#99999999999999999999;", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
        ("&amp;lt;", "&lt;"),
        ("AT&T &unknown; &; &# &#x; &", "AT&T &unknown; &; &# &#x; &"),
        ("&copy2024 &notit; &ampx;", "©2024 ¬it; &x;"),
        ("&mdash x", "&mdash x"),
        ("&NewLine;a&Tab;b", "a b"),
        ("a&nbsp;b", "a\u{a0}b"),
        ("&hearts;&alpha;&Omega;&check;&frac12;", "♥αΩ✓½"),
        ("\0a\0b", "ab"),
    ]);
}

#[test]
fn in_attributes_a_name_without_semicolon_may_be_none() {
    cases(&[
        ("<a href='/?a=1&copy=2&amp;b'>x</a>", "[x](https://e.org/?a=1&copy=2&b)"),
        ("<a href='/?x&lt'>x</a>", "[x](https://e.org/?x%3C)"),
        ("<img src=a.png alt='a &amp;amp; b'>", "![a \\&amp; b](https://e.org/a.png)"),
    ]);
}

#[test]
fn comments_declarations_and_malformed_tags_are_passed_over() {
    texts(&[
        ("a<!-- b -->c<!-->d<!--->e<!-- f --!>g<!-- h ---->i", "acdegi"),
        ("a<!-- > <p>b</p> -- -->c", "ac"),
        ("a<!-- b", "a"),
        ("<!DOCTYPE html><?xml version='1'?>a", "a"),
        ("a<![CDATA[b]]>c", "ac"),
        ("<math><mi><![CDATA[a<b]]></mi></math>", "a<b"),
        ("a</>b</ c>d<a", "abd"),
        ("1 < 2 <3 a<", "1 < 2 <3 a<"),
        ("a<b", "a"),
        ("<p title='a>b' class=x>c", "c"),
        ("<p title=\"a' data=\">c", "c"),
        ("<p/>a<br/>b", "a\nb"),
        ("<P>a</P><DIV>b</dIv>", "a\nb"),
        ("<a href=x/>l</a>", "l"),
        ("<p =a b>c", "c"),
        ("a</br>b</p>c", "a\nb\nc"),
    ]);
}

#[test]
fn raw_text_ends_only_at_its_own_end_tag() {
    texts(&[
        ("<script>a</scripty></style>b</SCRIPT >c", "c"),
        ("<script><!-- <script> a </script> b --></script>c", "c"),
        ("<script><!-->a</script>c", "c"),
        ("<script><!-- a --> b </script>c", "c"),
        ("<script>a", ""),
        ("<style>p{content:'</p>'}</style>a", "a"),
        ("<title>a</title><noscript><p>b</noscript><iframe><p>c</iframe>d", "d"),
        ("<textarea>\n<b>&lt;x</textarea>", "<b><x"),
        ("<xmp><b>&lt;</xmp>", "<b>&lt;"),
        ("a<plaintext></plaintext><b>", "a\n</plaintext><b>"),
        ("<noframes><p>a</noframes><noembed>b</noembed>c", "c"),
        ("<title>a<p>b", ""),
    ]);
}
