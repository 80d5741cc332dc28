//! The elements that HTML has rules for, and these rules.

/// It has no content and no end tag.
pub(super) const VOID: u16 = 1;
/// An end tag of an inline element does not reach over it.
pub(super) const SPECIAL: u16 = 1 << 1;
/// End tags do not reach out of it.
pub(super) const SCOPE: u16 = 1 << 2;
/// It ends an open paragraph.
pub(super) const CLOSES_P: u16 = 1 << 3;
/// Its end tag ends whatever is open in it.
pub(super) const ENDS: u16 = 1 << 4;
/// It stays open when what it stands in ends, until its own end tag.
pub(super) const FORMAT: u16 = 1 << 5;
/// Its content is text without tags.
pub(super) const RAW: u16 = 1 << 6;
/// Its content is not shown.
pub(super) const DROP: u16 = 1 << 7;
/// It begins and ends a line.
pub(super) const BLOCK: u16 = 1 << 8;
/// It is part of a table.
pub(super) const TABLE: u16 = 1 << 9;
/// Elements of the kind FORMAT that were opened in it end with it.
pub(super) const MARKER: u16 = 1 << 10;

macro_rules! tags {
    ($($name:literal $tag:ident $flags:expr,)*) => {
        /// An element by its name; `Other` has no rules of its own.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Tag { $($tag,)* Other }

        /// Sorted by name, in the order of the variants.
        static TAGS: &[(&str, Tag, u16)] = &[$(($name, Tag::$tag, $flags),)*];
    };
}

tags! {
    "a" A FORMAT,
    "address" Address SPECIAL | CLOSES_P | BLOCK | ENDS,
    "annotation" Annotation DROP,
    "applet" Applet SPECIAL | SCOPE | ENDS | MARKER,
    "area" Area VOID | SPECIAL,
    "article" Article SPECIAL | CLOSES_P | BLOCK | ENDS,
    "aside" Aside SPECIAL | CLOSES_P | BLOCK | ENDS,
    "b" B FORMAT,
    "base" Base VOID | SPECIAL,
    "basefont" Basefont VOID | SPECIAL,
    "bgsound" Bgsound VOID | SPECIAL,
    "big" Big FORMAT,
    "blockquote" Blockquote SPECIAL | CLOSES_P | BLOCK | ENDS,
    "body" Body SPECIAL,
    "br" Br VOID | SPECIAL,
    "button" Button SPECIAL | ENDS,
    "caption" Caption SPECIAL | SCOPE | TABLE | MARKER | BLOCK,
    "center" Center SPECIAL | CLOSES_P | BLOCK | ENDS,
    "code" Code FORMAT,
    "col" Col VOID | SPECIAL,
    "colgroup" Colgroup SPECIAL | TABLE,
    "datalist" Datalist DROP,
    "dd" Dd SPECIAL | BLOCK,
    "del" Del 0,
    "desc" Desc 0,
    "details" Details SPECIAL | CLOSES_P | BLOCK | ENDS,
    "dialog" Dialog SPECIAL | CLOSES_P | BLOCK | ENDS,
    "dir" Dir SPECIAL | CLOSES_P | BLOCK | ENDS,
    "div" Div SPECIAL | CLOSES_P | BLOCK | ENDS,
    "dl" Dl SPECIAL | CLOSES_P | BLOCK | ENDS,
    "dt" Dt SPECIAL | BLOCK,
    "em" Em FORMAT,
    "embed" Embed VOID | SPECIAL,
    "fieldset" Fieldset SPECIAL | CLOSES_P | BLOCK | ENDS,
    "figcaption" Figcaption SPECIAL | CLOSES_P | BLOCK | ENDS,
    "figure" Figure SPECIAL | CLOSES_P | BLOCK | ENDS,
    "font" Font FORMAT,
    "footer" Footer SPECIAL | CLOSES_P | BLOCK | ENDS,
    "foreignobject" ForeignObject 0,
    "form" Form SPECIAL | CLOSES_P | BLOCK | ENDS,
    "frame" Frame VOID | SPECIAL,
    "frameset" Frameset SPECIAL,
    "h1" H1 SPECIAL | CLOSES_P | BLOCK | ENDS,
    "h2" H2 SPECIAL | CLOSES_P | BLOCK | ENDS,
    "h3" H3 SPECIAL | CLOSES_P | BLOCK | ENDS,
    "h4" H4 SPECIAL | CLOSES_P | BLOCK | ENDS,
    "h5" H5 SPECIAL | CLOSES_P | BLOCK | ENDS,
    "h6" H6 SPECIAL | CLOSES_P | BLOCK | ENDS,
    "head" Head SPECIAL,
    "header" Header SPECIAL | CLOSES_P | BLOCK | ENDS,
    "hgroup" Hgroup SPECIAL | CLOSES_P | BLOCK | ENDS,
    "hr" Hr VOID | SPECIAL | CLOSES_P | BLOCK,
    "html" Html SPECIAL | SCOPE,
    "i" I FORMAT,
    "iframe" Iframe SPECIAL | RAW | DROP,
    "image" Image VOID,
    "img" Img VOID | SPECIAL,
    "input" Input VOID | SPECIAL,
    "kbd" Kbd 0,
    "keygen" Keygen VOID | SPECIAL,
    "legend" Legend BLOCK,
    "li" Li SPECIAL | BLOCK,
    "link" Link VOID | SPECIAL,
    "listing" Listing SPECIAL | CLOSES_P | BLOCK | ENDS,
    "main" Main SPECIAL | CLOSES_P | BLOCK | ENDS,
    "marquee" Marquee SPECIAL | SCOPE | ENDS | MARKER,
    "math" Math 0,
    "menu" Menu SPECIAL | CLOSES_P | BLOCK | ENDS,
    "meta" Meta VOID | SPECIAL,
    "nav" Nav SPECIAL | CLOSES_P | BLOCK | ENDS,
    "nobr" Nobr FORMAT,
    "noembed" Noembed SPECIAL | RAW | DROP,
    "noframes" Noframes SPECIAL | RAW | DROP,
    "noscript" Noscript SPECIAL | RAW | DROP,
    "object" Object SPECIAL | SCOPE | ENDS | MARKER,
    "ol" Ol SPECIAL | CLOSES_P | BLOCK | ENDS,
    "optgroup" Optgroup BLOCK,
    "option" Option BLOCK,
    "p" P SPECIAL | CLOSES_P | BLOCK,
    "param" Param VOID | SPECIAL,
    "plaintext" Plaintext SPECIAL | RAW | CLOSES_P | BLOCK,
    "pre" Pre SPECIAL | CLOSES_P | BLOCK | ENDS,
    "rp" Rp 0,
    "rt" Rt 0,
    "s" S FORMAT,
    "samp" Samp 0,
    "script" Script SPECIAL | RAW | DROP,
    "search" Search SPECIAL | CLOSES_P | BLOCK | ENDS,
    "section" Section SPECIAL | CLOSES_P | BLOCK | ENDS,
    "select" Select SPECIAL | ENDS,
    "small" Small FORMAT,
    "source" Source VOID | SPECIAL,
    "strike" Strike FORMAT,
    "strong" Strong FORMAT,
    "style" Style SPECIAL | RAW | DROP,
    "summary" Summary SPECIAL | CLOSES_P | BLOCK | ENDS,
    "svg" Svg 0,
    "table" Table SPECIAL | SCOPE | CLOSES_P | BLOCK,
    "tbody" Tbody SPECIAL | TABLE,
    "td" Td SPECIAL | SCOPE | TABLE | MARKER,
    "template" Template SPECIAL | SCOPE | DROP | MARKER,
    "textarea" Textarea SPECIAL | RAW,
    "tfoot" Tfoot SPECIAL | TABLE,
    "th" Th SPECIAL | SCOPE | TABLE | MARKER,
    "thead" Thead SPECIAL | TABLE,
    "title" Title SPECIAL | RAW | DROP,
    "tr" Tr SPECIAL | TABLE,
    "track" Track VOID | SPECIAL,
    "tt" Tt FORMAT,
    "u" U FORMAT,
    "ul" Ul SPECIAL | CLOSES_P | BLOCK | ENDS,
    "wbr" Wbr VOID | SPECIAL,
    "xmp" Xmp SPECIAL | RAW | CLOSES_P | BLOCK,
}

/// The number of tags, `Other` included.
pub(super) const COUNT: usize = Tag::Other as usize + 1;

/// Longer names are those of no tag in the table.
const LONGEST: usize = 16;

impl Tag {
    /// The tag of a name, in letters of either case.
    pub(super) fn parse(name: &str) -> Tag {
        let mut lower = [0; LONGEST];
        let Some(lower) = lower.get_mut(..name.len()) else { return Tag::Other };
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        let position = TAGS.binary_search_by(|(own, ..)| own.as_bytes().cmp(lower));
        position.ok().and_then(|at| TAGS.get(at)).map_or(Tag::Other, |row| row.1)
    }

    /// Has it one of these flags?
    pub(super) fn is(self, flags: u16) -> bool {
        TAGS.get(self as usize).is_some_and(|row| row.2 & flags != 0)
    }

    /// 1 to 6 for a heading.
    pub(super) fn heading(self) -> Option<usize> {
        (Tag::H1 as u8..=Tag::H6 as u8)
            .contains(&(self as u8))
            .then(|| self as usize - Tag::H1 as usize + 1)
    }
}
