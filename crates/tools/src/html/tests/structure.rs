//! The structure of a page as Markdown.

use super::cases;

#[test]
fn headings_paragraphs_and_breaks() {
    cases(&[
        ("<h1>Head <em>one</em></h1><p>b", "# Head *one*\n\nb"),
        ("<h6>a<br>b</h6><h2></h2>", "###### a b"),
        ("<h2><div>a</div><div>b</div></h2>", "## a b"),
        ("<h2>a<h3>b", "## a\n\n### b"),
        ("a<br>b<br><br>c<br>", "a  \nb\n\nc"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<div>a</div>b<section>c</section>", "a\n\nb\n\nc"),
        ("<details><summary>s</summary>b</details>", "s\n\nb"),
        (
            "<figure><img src=i alt=a><figcaption>c</figcaption></figure>",
            "![a](https://e.org/i)\n\nc",
        ),
        ("<dl><dt>t<dd>d<dd><p>e</p><p>f</p></dl>", "t\n: d\n: e\n\n  f"),
        ("<input value=x>a<wbr>b", "ab"),
    ]);
}

#[test]
fn lists_are_nested_by_the_width_of_their_marks() {
    cases(&[
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"),
        ("<ol><li>a<li>b<ul><li>c</ul></ol>", "1. a\n2. b\n   - c"),
        ("<ol start=9><li>a<li>b<p>c</ol>", "9. a\n10. b\n\n    c"),
        ("<ol start=-3><li>a</ol><ol start=9999999999><li>b</ol>", "1. a\n\n1. b"),
        ("<ol><li value=5>a<li>b</ol>", "5. a\n6. b"),
        ("<ul><li><p>a</p></li><li><p>b</p><p>c</p></li></ul>", "- a\n- b\n\n  c"),
        ("<ul><li><li>a</ul>", "- a"),
        ("<ul><li><ul><li>a</ul></ul>", "- - a"),
        ("x<ul><li>a</ul>y", "x\n\n- a\n\ny"),
        ("<li>a<li>b", "- a\n- b"),
        ("<ul><li>a<ul><li>b</ul>c</ul>", "- a\n  - b\n\n  c"),
        ("<menu><li>a</menu>", "- a"),
    ]);
}

#[test]
fn quotes_hold_blocks() {
    cases(&[
        ("<blockquote>a</blockquote>b", "> a\n\nb"),
        ("<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote>", "> a\n>\n> b\n>\n> > c"),
        ("<blockquote>a</blockquote><blockquote>b</blockquote>", "> a\n\n> b"),
        ("<ul><li>a<blockquote>b<br>c</blockquote></ul>", "- a\n\n  > b  \n  > c"),
        ("<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b"),
    ]);
}

#[test]
fn code_is_fenced() {
    cases(&[
        ("<pre><code class='hl language-js'>a\n b</code></pre>", "```js\na\n b\n```"),
        ("<pre class=lang-c++>a</pre>", "```c++\na\n```"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<pre>\n\n a &lt;<b>b</b>\n</pre>", "```\n\n a <b\n```"),
        ("<pre>a<br>b<div>c</div>d</pre>", "```\na\nb\nc\nd\n```"),
        ("<pre>\n \n</pre>a", "a"),
        ("<ul><li>a<pre>b\n\nc</pre></ul>", "- a\n\n  ```\n  b\n\n  c\n  ```"),
        ("<pre class='language-a`b'>x</pre>", "```\nx\n```"),
        ("<code>a*b</code> <code>a`b</code> <code>`</code>", "`a*b` ``a`b`` `` ` ``"),
        ("<code> a  b </code>c", "`a b` c"),
        ("<code></code>a", "a"),
        ("<code>V&lt;<a href=t>T</a>&gt;</code>", "`V<`[`T`](https://e.org/t)`>`"),
        ("<code>a<b>b</b><br>c</code>", "`ab c`"),
        ("<kbd>a</kbd><samp>b</samp>", "`a` `b`"),
        ("<pre><a href=x>a</a> <em>b</em></pre>", "```\na b\n```"),
        ("<xmp><b></xmp>", "```\n<b>\n```"),
    ]);
}

#[test]
fn emphasis_is_next_to_its_text_and_ends_with_the_block() {
    cases(&[
        ("a<b> b </b>c", "a **b** c"),
        (
            "<strong>a</strong> <em>b</em> <i>c</i> <del>d</del> <s>e</s>",
            "**a** *b* *c* ~~d~~ ~~e~~",
        ),
        ("<b></b><i> </i>a", "a"),
        ("<b><p>a<p>b</b>c", "**a**\n\n**b**c"),
        ("<b><b>a</b></b>", "**a**"),
        ("<b>a</b><b>b</b>", "**ab**"),
        ("<b>a<i>b</b>c</i>", "**a*b****c*"),
        ("<a href=x><h3>a</h3><p>b</a>", "### [a](https://e.org/x)\n\nb"),
        ("<p>a  \n b\u{a0}\u{a0}c", "a b\u{a0}\u{a0}c"),
        ("<p>&nbsp;</p>a", "a"),
    ]);
}

#[test]
fn text_does_not_become_markup() {
    cases(&[
        ("* a", "\\* a"),
        ("a*b* snake_case 2 * 3 _x_", "a\\*b\\* snake_case 2 * 3 \\_x\\_"),
        ("# a", "\\# a"),
        ("#a c#", "#a c#"),
        ("&gt; a > b", "\\> a > b"),
        ("- a<br>+ b<br>-c", "\\- a  \n\\+ b  \n-c"),
        ("1. a<br>12) b<br>1.5", "1\\. a  \n12\\) b  \n1.5"),
        ("a<br>---<br>===", "a  \n\\---  \n\\==="),
        ("`a`", "\\`a\\`"),
        ("[a](javascript:x)", "\\[a\\](javascript:x)"),
        ("&lt;b&gt; 1 &lt; 2", "\\<b> 1 < 2"),
        ("&amp;amp; a & b", "\\&amp; a & b"),
        ("a\\*b c\\d", "a\\\\\\*b c\\d"),
        ("~~a~~ ~b", "\\~\\~a\\~\\~ ~b"),
        ("<a href=x>a]b</a>", "[a\\]b](https://e.org/x)"),
        (
            "<table><tr><th>a|b<th>c<tr><td><code>d|e</code><td>f</table>",
            "| a\\|b | c |\n| --- | --- |\n| `d\\|e` | f |",
        ),
    ]);
}

#[test]
fn tables_are_gfm_tables() {
    cases(&[
        (
            "<table><thead><tr><th>a<th>b<tbody><tr><td>1<td>2</table>",
            "| a | b |\n| --- | --- |\n| 1 | 2 |",
        ),
        (
            "<table><tr><td>1<td>2<tr><td>3<td>4</table>",
            "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
        ),
        (
            "<table><thead><tr><td>a<td>b</thead><tr><td>1<td>2</table>",
            "| a | b |\n| --- | --- |\n| 1 | 2 |",
        ),
        (
            "<table><tr><th>a<td>1<tr><th>b<td>2</table>",
            "|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |",
        ),
        (
            "<table><caption>C</caption><tr><th>a<th>b<tr><td>1<td>2</table>",
            "C\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
        ),
        (
            "<table><tr><th>a<th>b<tr><td>1<br>2<td><p>3</p><p>4</p></table>",
            "| a | b |\n| --- | --- |\n| 1<br>2 | 3<br>4 |",
        ),
        (
            "<table><tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><td><pre>z</pre></table>",
            "| a | b |\n| --- | --- |\n| - x<br>- y | `z` |",
        ),
        ("<table><tr><th colspan=2>a<tr><td>1<td>2</table>", "| a |  |\n| --- | --- |\n| 1 | 2 |"),
        (
            "<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>",
            "| a | b |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |",
        ),
        ("<table><tr><th>a<th>b<tr><td>1</table>x", "| a | b |\n| --- | --- |\n| 1 |\n\nx"),
        ("<table><tr><th>a<th>b<tr><td><td>2</table>", "| a | b |\n| --- | --- |\n|  | 2 |"),
        (
            "<table><tr><th>a<th>b</tr>stray<tr><td>1<td>2</table>",
            "stray\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
        ),
        ("<table></table><table><tr></table>a", "a"),
        ("<td>a<td>b", "a b"),
    ]);
}

#[test]
fn tables_that_are_a_layout_become_blocks() {
    cases(&[
        ("<table><tr><td>a</table>", "a"),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\n\nb"),
        (
            "<table><tr><td>a<td><table><tr><th>x<th>y<tr><td>1<td>2</table><td>b</table>",
            "a\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\nb",
        ),
        (
            "<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>",
            "```\n1\n2\n```\n\n```\na\nb\n```",
        ),
        (
            "<blockquote><table><tr><th>a<th>b<tr><td>1<td>2</table></blockquote>",
            "> | a | b |\n> | --- | --- |\n> | 1 | 2 |",
        ),
        (
            "<ul><li><table><tr><th>a<th>b<tr><td>1<td>2<br>3</table><li>x</ul>",
            "- | a | b |\n  | --- | --- |\n  | 1 | 2<br>3 |\n- x",
        ),
        ("<h2>a<table><tr><td>b<td>c</table></h2>d", "## a b c\n\nd"),
        (
            "<table><tr><td>a<td>b<table><tr><td>c<td>d</table></table>e",
            "a\n\nb\n\n|  |  |\n| --- | --- |\n| c | d |\n\ne",
        ),
    ]);
}
