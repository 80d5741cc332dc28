//! What is shown of a page, and what is linked.

use super::{cases, md, text, texts};

#[test]
fn what_browsers_do_not_show_is_left_out() {
    texts(&[
        ("<head><title>t</title><style>s</style><script>j</script></head>a", "a"),
        ("<template><p>a</p><template>b</template>c</template>d", "d"),
        ("<svg><title>a</title><g><text>b</text></g></svg>c<svg/>d", "cd"),
        ("<svg><style>a</style><path/><p>b", "b"),
        ("<svg><foreignObject><p>a</p></foreignObject></svg>b", "b"),
        ("<div><svg><path></div>a", "a"),
        ("<p>a</p><p hidden>b</p><p>c", "a\nc"),
        ("<p hidden>a<p>b", "b"),
        ("<ul><li hidden>a<li>b<ul hidden><li>c</ul></ul>", "b"),
        ("<dl><dt hidden>a<dd>b<dd hidden>c<dt>d</dl>", "b\nd"),
        ("<table><tr hidden><td>a<tr><td>b<td hidden>c<td>d</table>", "b\td"),
        ("<select><option hidden>a<option>b</select>", "b"),
        ("<div hidden><div>a</div>b</div>c", "c"),
        ("<div hidden><p>a</div>b", "b"),
        ("<span hidden>a<br>b</span>c", "c"),
        ("<p>a<span hidden>b</p>c", "a\nc"),
        ("<br hidden><img hidden src=a><input hidden>a", "a"),
        ("<p HIDDEN=hidden>a</p><p hidden=''>b</p>c", "c"),
        ("<p hidden=until-found>a</p><p hidden='Until-Found'>b</p>", "a\nb"),
        ("<p aria-hidden=true>a</p>", "a"),
        ("<p data-hidden>a</p><p title=hidden>b", "a\nb"),
        ("<datalist><option>a</datalist>b", "b"),
    ]);
}

#[test]
fn a_style_can_hide() {
    texts(&[
        ("<p style='display:none'>a</p>b", "b"),
        ("<p style='color: red; DISPLAY : None ;'>a</p>b", "b"),
        ("<p style='display:none!important;display:block'>a</p>b", "b"),
        ("<p style='visibility: hidden'>a</p>b", "b"),
        ("<p style='display:/* x */none'>a</p>b", "b"),
        ("<p style='display&colon;none'>a</p>b", "b"),
        ("<p style='display:none;display:block'>a</p>b", "a\nb"),
        ("<p style='x-display:none'>a</p><p style='display:nones'>b</p>", "a\nb"),
        ("<p style='/* display:none */'>a</p>", "a"),
        ("<p style='display:none' hidden=until-found>a</p>b", "b"),
    ]);
}

#[test]
fn what_no_one_sees_is_left_out() {
    for style in [
        "opacity:0",
        "opacity: 0.0 !important",
        "opacity:0%",
        "opacity:.0",
        "font-size:0",
        "font-size:0px",
        "visibility:collapse",
        "position:absolute;left:-9999px",
        "left:-100vw",
        "top : -999em",
        "position:absolute;clip:rect(0,0,0,0)",
        "position: fixed; clip: rect(1px, 1px, 1px, 1px)",
        "clip:rect(0 1px 1px 0);position:absolute",
    ] {
        texts(&[(&format!("<p style='{style}'>a</p>b"), "b")]);
    }
    for style in [
        "opacity:0.1",
        "opacity:1",
        "opacity:x",
        "font-size:10px",
        "font-size:0.8em",
        "left:-20px",
        "left:9999px",
        "left:-9999",
        "clip:rect(0,0,0,0)",
        "position:relative;clip:rect(0,0,0,0)",
        "position:absolute;clip:auto",
        "position:absolute;clip:rect(0,100px,20px,0)",
        "position:absolute;clip:rect(auto,auto,auto,auto)",
        "opacity:0;transition:opacity 1s",
        "opacity:0; -webkit-box-flex:1; transition-property:opacity",
        "visibility:hidden;animation:in 1s",
        "left:-9999px;transform:translateX(9999px)",
        "font-size:0;will-change:transform",
    ] {
        texts(&[(&format!("<p style='{style}'>a</p>b"), "a\nb")]);
    }
    texts(&[("<p style='display:none;transition:all 1s'>a</p>b", "b")]);
    texts(&[("<p style='opacity:0;transform:none'>a</p>b", "b")]);
}

#[test]
fn hidden_emphasis_goes_on_as_browsers_say() {
    texts(&[
        ("<p><b hidden>a</p><p>b</p></b>c", "c"),
        ("<b hidden><p>a</b>b</p>", "b"),
        ("<a hidden href=x>a<a href=y>b</a>", "b"),
        ("<table><tr><td><b hidden>a<td>b</table>", "b"),
    ]);
}

#[test]
fn only_web_mail_and_fragment_links_stay() {
    for target in [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "java\nscript:alert(1)",
        "java&Tab;script&colon;alert(1)",
        "&#106;avascript&#58;alert(1)",
        "&#x01;javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "tel:1",
        "ftp://x/y",
    ] {
        assert_eq!(md(&format!("<a href='{target}'>x</a>")), "x", "{target}");
        assert_eq!(md(&format!("<img src='{target}' alt=x>")), "x", "{target}");
    }
    cases(&[
        ("<a href='/a?b=1&amp;c=2'>l</a>", "[l](https://e.org/a?b=1&c=2)"),
        ("<a href='HTTP://x.y/z'>l</a>", "[l](HTTP://x.y/z)"),
        ("<a href='#top'>l</a>", "[l](#top)"),
        ("<a href='mailto:a@b.c'>l</a>", "[l](mailto:a@b.c)"),
        ("<a href='a b(c.html'>l</a>", "[l](https://e.org/a%20b%28c.html)"),
        ("<a href='/x_(y)'>l</a>", "[l](https://e.org/x_(y))"),
        ("<a name=x>l</a><a>m</a>", "lm"),
        ("<a href=x></a>a", "a"),
        ("<img src=/i.png>", "![](https://e.org/i.png)"),
        ("<a href=x><img src=i alt=a></a>", "[![a](https://e.org/i)](https://e.org/x)"),
        ("<img alt=a>", "a"),
        ("hi!<a href=x>l</a>", "hi\\![l](https://e.org/x)"),
        ("<a href=x>a<a href=y>b</a>", "[a](https://e.org/x)[b](https://e.org/y)"),
    ]);
}

#[test]
fn what_resolve_says_is_judged_too() {
    let html = "<a href=x>a</a><img src=y alt=b>";
    assert_eq!(super::markdown(html, &mut |_| None), "ab");
    assert_eq!(super::markdown(html, &mut |_| Some("javascript:x".to_owned())), "ab");
    assert_eq!(super::markdown(html, &mut |_| Some("/relative".to_owned())), "ab");
    let mut asked = Vec::new();
    let html = "<a href=' /a\n b'>a</a><a href=#f>b</a><a href=data:x>c</a>";
    let text = super::markdown(html, &mut |url| {
        asked.push(url.to_owned());
        None
    });
    assert_eq!(text, "a[b](#f)c");
    assert_eq!(asked, ["/a b"]);
}

#[test]
fn the_first_base_with_a_target_counts() {
    let html =
        "<script><base href=a></script><!--<base href=b>--><base target=c><base href='&#100;'>";
    assert_eq!(super::super::base(html).as_deref(), Some("d"));
    assert_eq!(super::super::base("<p>a"), None);
}

#[test]
fn text_has_a_line_for_each_block_and_keeps_cells_apart() {
    texts(&[
        ("<title>t</title><h1>a</h1><p>b <i>c</i></p>d", "a\nb c\nd"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<ul><li>a<li>b</ul>c", "a\nb\nc"),
        ("a<br>b<br><br>c<hr>d", "a\nb\nc\nd"),
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", "a\tb\n1\t2"),
        ("<table><tr><td><p>a</p><td><p>b</p><td><td>c</table>", "a\tb\tc"),
        (" a \n\t b  <b> c</b>d ", "a b cd"),
        ("<pre>\n a\n  b</pre>c", " a\n  b\nc"),
        ("<button>a</button><button>b</button>", "a b"),
        ("<option>a<option>b", "a\nb"),
        ("<dl><dt>a<dd>b</dl>", "a\nb"),
        ("", ""),
        ("  <p> </p> ", ""),
    ]);
    assert_eq!(text("<pre>\r\na\r\nb\rc</pre>"), "a\nb\nc");
}
