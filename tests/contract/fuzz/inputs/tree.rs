//! JSON as a tree that keeps the details that readers may depend on: the order of fields, repeated fields,
//! and the text of scalars.

use super::Random;

#[derive(Clone, Debug)]
pub(crate) enum Tree {
    /// The text of a string, a number, `true`, `false` or `null`.
    Scalar(String),
    Array(Vec<Tree>),
    /// Names with their quotes, and values.
    Object(Vec<(String, Tree)>),
}

impl Tree {
    /// The tree of a JSON text; `None` if it is not JSON.
    pub(crate) fn read(text: &str) -> Option<Tree> {
        let mut at = 0;
        let tree = value(text.as_bytes(), &mut at)?;
        text[at..].trim().is_empty().then_some(tree)
    }

    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Tree::Scalar(text) => out.push_str(text),
            Tree::Array(list) => {
                out.push('[');
                for (i, item) in list.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    item.write(out);
                }
                out.push(']');
            }
            Tree::Object(fields) => {
                out.push('{');
                for (i, (name, value)) in fields.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    out.push_str(name);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    /// The number of values in it, including itself.
    pub(crate) fn count(&self) -> usize {
        match self {
            Tree::Scalar(_) => 1,
            Tree::Array(list) => 1 + list.iter().map(Tree::count).sum::<usize>(),
            Tree::Object(fields) => 1 + fields.iter().map(|f| f.1.count()).sum::<usize>(),
        }
    }

    /// The value with this number, counted in the order of their beginnings.
    pub(crate) fn at(&mut self, mut number: usize) -> &mut Tree {
        if number == 0 {
            return self;
        }
        number -= 1;
        let inner: Vec<&mut Tree> = match self {
            Tree::Scalar(_) => panic!("there is no such value"),
            Tree::Array(list) => list.iter_mut().collect(),
            Tree::Object(fields) => fields.iter_mut().map(|field| &mut field.1).collect(),
        };
        for tree in inner {
            let count = tree.count();
            if number < count {
                return tree.at(number);
            }
            number -= count;
        }
        panic!("there is no such value")
    }

    /// Changes one value: another type, another text, a field removed, added or repeated.
    pub(crate) fn twist(&mut self, random: &mut Random) {
        let number = random.below(self.count());
        let tree = self.at(number);
        match (random.below(8), tree) {
            (0, Tree::Object(fields)) if !fields.is_empty() => {
                fields.remove(random.below(fields.len()));
            }
            (1, Tree::Object(fields)) if !fields.is_empty() => {
                let mut again = random.of(fields).clone();
                if random.one_in(2) {
                    again.1 = Tree::Scalar(random.word(OTHERS).to_owned());
                }
                fields.insert(random.below(fields.len() + 1), again);
            }
            (2, Tree::Object(fields)) => {
                let value = Tree::Scalar(random.word(OTHERS).to_owned());
                let at = random.below(fields.len() + 1);
                fields.insert(at, (random.word(NAMES).to_owned(), value));
            }
            (0, Tree::Array(list)) if !list.is_empty() => {
                list.remove(random.below(list.len()));
            }
            (1 | 2, Tree::Array(list)) if !list.is_empty() => {
                let again = random.of(list).clone();
                list.push(again);
            }
            (0..=3, Tree::Scalar(text)) if text.starts_with('"') => {
                let boundaries: Vec<usize> =
                    (1..text.len()).filter(|at| text.is_char_boundary(*at)).collect();
                // Not after a backslash: the text must stay JSON.
                let free =
                    |at: &usize| !text[..*at].ends_with('\\') && !text[..*at].contains("\\u");
                let places: Vec<usize> = boundaries.into_iter().filter(free).collect();
                if !places.is_empty() {
                    text.insert_str(*random.of(&places), random.word(MORE));
                }
            }
            (_, tree) => *tree = Tree::Scalar(random.word(OTHERS).to_owned()),
        }
    }
}

/// Replacements for a value.
pub(crate) const OTHERS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "1",
    "2",
    "-1",
    "1.5",
    "01",
    "1e3",
    "9007199254740992",
    "18446744073709551615",
    "\"\"",
    "\"x\"",
    "\"1\"",
    "\"é😀\"",
    "\"\\ud83d\"",
    "\"\\ude00\"",
    "\"error\"",
    "-0",
    "0.5",
    "1e300",
    "1e400",
    "\"msg_a\"",
    "\"prt_\"",
    "\"ses_z\"",
    "\"user\"",
    "\"assistant\"",
    "\"tool\"",
    "[]",
    "[[]]",
    "[{}]",
    "[\"x\",1]",
    "{}",
    "{\"type\":\"text\",\"text\":\"y\"}",
    "{\"id\":\"x\",\"name\":\"y\"}",
];

/// Additions to a string.
const MORE: &[&str] = &[
    "a",
    "é",
    "😀",
    "\\n",
    "\\\"",
    "\\\\",
    "\\ud83d",
    "\\ude00",
    "\\ud83d\\ude00",
    "\\u0000",
    "{",
    "\\u0041",
];

const NAMES: &[&str] = &[
    "\"type\"",
    "\"id\"",
    "\"index\"",
    "\"delta\"",
    "\"error\"",
    "\"text\"",
    "\"content\"",
    "\"usage\"",
    "\"model\"",
    "\"time\"",
    "\"metadata\"",
    "\"parentID\"",
    "\"new_and_not_known\"",
    "\"__proto__\"",
    "\"\\u0074ype\"",
    "\"\"",
];

fn space(bytes: &[u8], at: &mut usize) {
    while bytes.get(*at).is_some_and(u8::is_ascii_whitespace) {
        *at += 1;
    }
}

/// Takes this byte if it is the next one.
fn take(bytes: &[u8], at: &mut usize, byte: u8) -> Option<()> {
    space(bytes, at);
    (bytes.get(*at) == Some(&byte)).then(|| *at += 1)
}

fn scalar(bytes: &[u8], at: &mut usize) -> Option<String> {
    space(bytes, at);
    let start = *at;
    if bytes.get(start) == Some(&b'"') {
        *at += 1;
        while *bytes.get(*at)? != b'"' {
            *at += if bytes[*at] == b'\\' { 2 } else { 1 };
        }
        *at += 1;
    } else {
        while bytes.get(*at).is_some_and(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)) {
            *at += 1;
        }
    }
    let text = std::str::from_utf8(bytes.get(start..*at)?).ok()?;
    (!text.is_empty()).then(|| text.to_owned())
}

fn value(bytes: &[u8], at: &mut usize) -> Option<Tree> {
    if take(bytes, at, b'{').is_some() {
        let mut fields = Vec::new();
        while take(bytes, at, b'}').is_none() {
            if !fields.is_empty() {
                take(bytes, at, b',')?;
            }
            let name = scalar(bytes, at)?;
            take(bytes, at, b':')?;
            fields.push((name, value(bytes, at)?));
        }
        return Some(Tree::Object(fields));
    }
    if take(bytes, at, b'[').is_some() {
        let mut list = Vec::new();
        while take(bytes, at, b']').is_none() {
            if !list.is_empty() {
                take(bytes, at, b',')?;
            }
            list.push(value(bytes, at)?);
        }
        return Some(Tree::Array(list));
    }
    scalar(bytes, at).map(Tree::Scalar)
}
