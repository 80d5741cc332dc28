//! Character references: `&amp;`, `&#39;`, `&#x27;`.

/// The first letters of the names, each with its place in `NAMES`.
const LETTERS: &str = "ABCDEGHIKLMNOPQRSTUXYZabcdefghiklmnopqrstuvxyz";

/// The names that pages use, by their first letter. Behind a name stands `:` if it needs no `;`, and then the
/// character.
static NAMES: &[&str] = &[
    "AElig:Æ AMP:& Aacute:Á Abreve;Ă Acirc:Â Agrave:À Alpha;Α Aogon;Ą Aring:Å Atilde:Ã Auml:Ä",
    "Beta;Β",
    "COPY:© Cacute;Ć Ccaron;Č Ccedil:Ç Chi;Χ",
    "Dagger;‡ Delta;Δ Dstrok;Đ",
    "ETH:Ð Eacute:É Ecaron;Ě Ecirc:Ê Egrave:È Eogon;Ę Epsilon;Ε Eta;Η Euml:Ë",
    "GT:> Gamma;Γ Gbreve;Ğ",
    "Hat;^",
    "Iacute:Í Icirc:Î Igrave:Ì Iota;Ι Iuml:Ï",
    "Kappa;Κ",
    "LT:< Lambda;Λ Lstrok;Ł",
    "Mu;Μ",
    "Nacute;Ń NewLine;\n Ntilde:Ñ Nu;Ν",
    "OElig;Œ Oacute:Ó Ocirc:Ô Odblac;Ő Ograve:Ò Omega;Ω Omicron;Ο Oslash:Ø Otilde:Õ Ouml:Ö",
    "Phi;Φ Pi;Π Prime;″ Psi;Ψ",
    "QUOT:\"",
    "REG:® Rcaron;Ř Rho;Ρ",
    "Sacute;Ś Scaron;Š Scedil;Ş Sigma;Σ",
    "THORN:Þ Tab;\t Tau;Τ Tcedil;Ţ Theta;Θ",
    "Uacute:Ú Ucirc:Û Udblac;Ű Ugrave:Ù Upsilon;Υ Uring;Ů Uuml:Ü",
    "Xi;Ξ",
    "Yacute:Ý Yuml;Ÿ",
    "Zacute;Ź Zcaron;Ž Zdot;Ż Zeta;Ζ",
    "aacute:á abreve;ă acirc:â acute:´ aelig:æ agrave:à alpha;α amp:& and;∧ ang;∠ aogon;ą ap;≈ apos;' aring:å ast;* asymp;≈ atilde:ã auml:ä",
    "bdquo;„ beta;β brvbar:¦ bsol;\\ bull;•",
    "cacute;ć cap;∩ ccaron;č ccedil:ç cedil:¸ cent:¢ check;✓ chi;χ circ;ˆ clubs;♣ colon;: comma;, commat;@ cong;≅ copy:© crarr;↵ cross;✗ cup;∪ curren:¤",
    "dArr;⇓ dagger;† darr;↓ dash;‐ deg:° delta;δ diams;♦ divide:÷ dollar;$ dstrok;đ",
    "eacute:é ecaron;ě ecirc:ê egrave:è empty;∅ emsp;\u{2003} ensp;\u{2002} eogon;ę epsilon;ε equals;= equiv;≡ eta;η eth:ð euml:ë euro;€ excl;! exist;∃",
    "female;♀ fnof;ƒ forall;∀ frac12:½ frac14:¼ frac34:¾ frasl;⁄",
    "gamma;γ gbreve;ğ ge;≥ geq;≥ gg;≫ grave;` gt:>",
    "hArr;⇔ hairsp;\u{200a} harr;↔ hearts;♥ hellip;… horbar;― hyphen;‐",
    "iacute:í icirc:î iexcl:¡ igrave:ì imath;ı infin;∞ inodot;ı int;∫ iota;ι iquest:¿ isin;∈ iuml:ï",
    "kappa;κ",
    "lArr;⇐ lambda;λ lang;⟨ laquo:« larr;← lbrace;{ lbrack;[ lceil;⌈ lcub;{ ldquo;“ le;≤ leq;≤ lfloor;⌊ ll;≪ lowast;∗ lowbar;_ loz;◊ lpar;( lrm;\u{200e} lsaquo;‹ lsqb;[ lsquo;‘ lstrok;ł lt:<",
    "macr:¯ male;♂ mdash;— micro:µ middot:· minus;− mu;μ",
    "nabla;∇ nacute;ń nbsp:\u{a0} ndash;– ne;≠ ni;∋ not:¬ notin;∉ nsub;⊄ ntilde:ñ nu;ν num;# numsp;\u{2007}",
    "oacute:ó ocirc:ô odblac;ő oelig;œ ograve:ò oline;‾ omega;ω omicron;ο oplus;⊕ or;∨ ordf:ª ordm:º oslash:ø otilde:õ otimes;⊗ ouml:ö",
    "para:¶ part;∂ percnt;% period;. permil;‰ perp;⊥ phi;φ phone;☎ pi;π piv;ϖ plus;+ plusmn:± pound:£ prime;′ prod;∏ prop;∝ psi;ψ puncsp;\u{2008}",
    "quest;? quot:\"",
    "rArr;⇒ radic;√ rang;⟩ raquo:» rarr;→ rbrace;} rbrack;] rcaron;ř rceil;⌉ rcub;} rdquo;” reg:® rfloor;⌋ rho;ρ rlm;\u{200f} rpar;) rsaquo;› rsqb;] rsquo;’",
    "sacute;ś sbquo;‚ scaron;š scedil;ş sdot;⋅ sect:§ semi;; shy:\u{ad} sigma;σ sigmaf;ς sim;∼ sol;/ spades;♠ star;☆ starf;★ sub;⊂ sube;⊆ sum;∑ sup;⊃ sup1:¹ sup2:² sup3:³ supe;⊇ szlig:ß",
    "tau;τ tcedil;ţ there4;∴ theta;θ thetasym;ϑ thinsp;\u{2009} thorn:þ tilde;˜ times:× trade;™",
    "uArr;⇑ uacute:ú uarr;↑ ucirc:û udblac;ű ugrave:ù uml:¨ upsih;ϒ upsilon;υ uring;ů uuml:ü",
    "verbar;| vert;|",
    "xi;ξ",
    "yacute:ý yen:¥ yuml:ÿ",
    "zacute;ź zcaron;ž zdot;ż zeta;ζ zwj;\u{200d} zwnj;\u{200c}",
];

/// The longest name that is looked up, and the longest that needs no `;`.
const LONGEST: usize = 12;
const LONGEST_OPEN: usize = 6;

/// What the numbers from 0x80 to 0x9F mean: those of Windows-1252.
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// Appends the text with its references as characters. A reference that is not known stays as it is.
/// Line ends become `\n`; NUL is left out, as in browsers. In an attribute a name without `;` is no reference
/// in front of `=`, a letter or a digit.
pub(super) fn decode(raw: &str, in_attribute: bool, out: &mut String) {
    let mut rest = raw;
    while let Some(at) = memchr::memchr3(b'&', b'\r', 0, rest.as_bytes()) {
        out.push_str(rest.get(..at).unwrap_or_default());
        let special = rest.get(at..).unwrap_or_default();
        rest = special.get(1..).unwrap_or_default();
        if special.starts_with('\r') {
            if !rest.starts_with('\n') {
                out.push('\n');
            }
        } else if special.starts_with('&') {
            let found = match rest.strip_prefix('#') {
                Some(digits) => number(digits).map(|(c, length)| (c, length + 1)),
                None => name(rest, in_attribute),
            };
            if let Some((c, length)) = found {
                out.push(c);
                rest = rest.get(length..).unwrap_or_default();
            } else {
                out.push('&');
            }
        }
    }
    out.push_str(rest);
}

/// The character of a number, and how much of the text is its reference.
fn number(text: &str) -> Option<(char, usize)> {
    let is_hex = text.starts_with(['x', 'X']);
    let digits = text.get(usize::from(is_hex)..)?;
    let radix = if is_hex { 16 } else { 10 };
    let count = digits.bytes().take_while(|b| char::from(*b).is_digit(radix)).count();
    if count == 0 {
        return None;
    }
    let value = digits.bytes().take(count).fold(0_u32, |value, b| {
        let digit = char::from(b).to_digit(radix).unwrap_or(0);
        value.saturating_mul(radix).saturating_add(digit)
    });
    let c = match value {
        0 => None,
        0x80..=0x9f => WINDOWS.chars().nth(value as usize - 0x80),
        value => char::from_u32(value),
    };
    let is_ended = digits.as_bytes().get(count) == Some(&b';');
    let length = usize::from(is_hex) + count + usize::from(is_ended);
    Some((c.unwrap_or(char::REPLACEMENT_CHARACTER), length))
}

/// The character of a name, and how much of the text is its reference.
fn name(text: &str, in_attribute: bool) -> Option<(char, usize)> {
    let bytes = text.as_bytes();
    let length = bytes.iter().take(LONGEST + 1).take_while(|b| b.is_ascii_alphanumeric()).count();
    if bytes.get(length) == Some(&b';')
        && let Some((c, _)) = text.get(..length).and_then(look_up)
    {
        return Some((c, length + 1));
    }
    for length in (2..=length.min(LONGEST_OPEN)).rev() {
        if let Some((c, true)) = text.get(..length).and_then(look_up) {
            let next = bytes.get(length).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'=');
            return (!in_attribute || !next).then_some((c, length));
        }
    }
    None
}

/// The character of a name, and whether it needs no `;`.
fn look_up(name: &str) -> Option<(char, bool)> {
    let row = NAMES.get(LETTERS.find(name.chars().next()?)?)?;
    row.split(' ').find_map(|entry| {
        let value = entry.strip_prefix(name)?;
        let c = value.strip_prefix([':', ';'])?.chars().next()?;
        Some((c, value.starts_with(':')))
    })
}
