//! Reads frontmatter: YAML 1.2, bounded, without expansion of aliases and without types of programming languages.

use super::yaml_fault::YamlFault;
use super::yaml_input::YamlInput;
use super::yaml_tree::{YamlContent, YamlEntry, YamlNode, YamlScalar, pointer_step};
use apex_parts_model::sorted_map::SortedMap;
use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};

/// The most bytes of frontmatter, and of texts that aliases repeat.
pub(super) const MAX_YAML_BYTES: usize = 64 << 10;
const MAX_NODES: usize = 2_000;
const MAX_LEVELS: usize = 16;

/// The fields at the root.
pub(super) fn read_yaml(yaml: &str) -> Result<Vec<YamlEntry>, YamlFault> {
    if yaml.len() > MAX_YAML_BYTES {
        let message = format!(
            "the frontmatter has {} bytes, and at most {MAX_YAML_BYTES} are read: move text to the body",
            yaml.len()
        );
        return Err(YamlFault::new(0, String::new(), message));
    }
    if let Some((offset, c)) = yaml.char_indices().find(|(_, c)| is_unprintable(*c)) {
        let message =
            format!("the frontmatter contains the character U+{:04X}: remove it", u32::from(c));
        return Err(YamlFault::new(offset, String::new(), message));
    }
    YamlReader::new(yaml).read()
}

/// What YAML does not allow in a file. (To the parser, U+0000 is the end of it.)
fn is_unprintable(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}'))
        || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// The byte at which a character is. The parser counts characters.
struct YamlPlaces<'y> {
    yaml: &'y str,
    is_ascii: bool,
    chars: usize,
    bytes: usize,
}

impl YamlPlaces<'_> {
    /// Moves from the last place that was asked for, so that a reading costs no more than its length.
    fn byte(&mut self, index: usize) -> usize {
        if self.is_ascii {
            return index.min(self.yaml.len());
        }
        let (before, after) = self.yaml.split_at_checked(self.bytes).unwrap_or_default();
        if index >= self.chars {
            for c in after.chars().take(index - self.chars) {
                self.chars += 1;
                self.bytes += c.len_utf8();
            }
        } else {
            for c in before.chars().rev().take(self.chars - index) {
                self.chars -= 1;
                self.bytes -= c.len_utf8();
            }
        }
        self.bytes
    }
}

/// A collection that is not yet closed.
enum OpenNode {
    List { offset: usize, items: Vec<YamlNode> },
    Map { offset: usize, entries: Vec<YamlEntry>, key: Option<(String, usize)> },
}

struct YamlReader<'y> {
    places: YamlPlaces<'y>,
    open: Vec<OpenNode>,
    /// What has an anchor: a scalar, or `None` for a collection.
    anchors: SortedMap<usize, Option<YamlScalar>>,
    nodes: usize,
    /// The bytes of the texts that aliases repeated.
    repeated: usize,
    root: Option<Vec<YamlEntry>>,
}

impl<'y> YamlReader<'y> {
    fn new(yaml: &'y str) -> YamlReader<'y> {
        YamlReader {
            places: YamlPlaces { yaml, is_ascii: yaml.is_ascii(), chars: 0, bytes: 0 },
            open: Vec::new(),
            anchors: SortedMap::new(),
            nodes: 0,
            repeated: 0,
            root: None,
        }
    }

    fn read(mut self) -> Result<Vec<YamlEntry>, YamlFault> {
        let mut documents = 0;
        for event in Parser::new(YamlInput::new(self.places.yaml)) {
            let (event, span) = match event {
                Ok(event) => event,
                Err(error) => {
                    let offset = self.places.byte(error.marker().index());
                    let message = format!(
                        "this is not YAML: {}. A text with \": \" or \" #\" in it, or with a sign in front, needs \
                         quotes",
                        error.info()
                    );
                    let fault = YamlFault::new(offset, self.path(), message);
                    return Err(YamlFault { is_syntax: true, ..fault });
                }
            };
            match event {
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents > 1 {
                        return Err(self.fault(span, "the frontmatter has a second YAML document"));
                    }
                }
                Event::Scalar(text, style, anchor, tag) => {
                    let is_text = self.takes_tag(span, tag.as_deref(), true)?;
                    let is_plain = style == ScalarStyle::Plain && !is_text;
                    let scalar = YamlScalar { text: text.into_owned(), is_plain };
                    if anchor > 0 {
                        self.anchors.insert(anchor, Some(scalar.clone()));
                    }
                    self.scalar(span, scalar)?;
                }
                Event::Alias(anchor) => self.alias(span, anchor)?,
                Event::SequenceStart(anchor, tag) => {
                    self.takes_tag(span, tag.as_deref(), false)?;
                    let offset = self.opening(span, anchor)?;
                    self.open.push(OpenNode::List { offset, items: Vec::new() });
                }
                Event::MappingStart(anchor, tag) => {
                    self.takes_tag(span, tag.as_deref(), false)?;
                    let offset = self.opening(span, anchor)?;
                    self.open.push(OpenNode::Map { offset, entries: Vec::new(), key: None });
                }
                Event::SequenceEnd | Event::MappingEnd => self.close(span)?,
                Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            }
        }
        self.root.ok_or_else(|| {
            YamlFault::new(
                0,
                String::new(),
                "the frontmatter is empty: it needs name and description",
            )
        })
    }

    /// Whether the tag says that a scalar is a text. No other tag is taken: they name types of programs.
    fn takes_tag(
        &mut self,
        span: Span,
        tag: Option<&Tag>,
        on_scalar: bool,
    ) -> Result<bool, YamlFault> {
        let Some(tag) = tag else { return Ok(false) };
        let name = format!("{}{}", tag.handle, tag.suffix);
        if on_scalar && name == "tag:yaml.org,2002:str" {
            return Ok(true);
        }
        let name = apex_parts_model::shorten(&name);
        Err(self.fault(span, format!("the tag {name:?} is not read (only !!str is): remove it")))
    }

    fn count(&mut self, span: Span) -> Result<(), YamlFault> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let message = format!("the frontmatter has more than {MAX_NODES} values");
            return Err(self.fault(span, message));
        }
        Ok(())
    }

    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(OpenNode::Map { key: None, .. }))
    }

    fn opening(&mut self, span: Span, anchor: usize) -> Result<usize, YamlFault> {
        self.count(span)?;
        if self.expects_key() {
            return Err(self.fault(span, "a key is a list or a mapping: it must be a string"));
        }
        if self.open.len() >= MAX_LEVELS {
            let message = format!("the frontmatter nests deeper than {MAX_LEVELS} levels");
            return Err(self.fault(span, message));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, None);
        }
        Ok(self.places.byte(span.start.index()))
    }

    fn scalar(&mut self, span: Span, scalar: YamlScalar) -> Result<(), YamlFault> {
        self.count(span)?;
        let offset = self.places.byte(span.start.index());
        let Some(OpenNode::Map { entries, key: key @ None, .. }) = self.open.last_mut() else {
            return self.add(span, YamlNode { offset, content: YamlContent::Scalar(scalar) });
        };
        if scalar.text.is_empty() {
            return Err(self.fault(span, "a key is empty"));
        }
        let is_twice = entries.iter().any(|entry| entry.key == scalar.text);
        let shown = apex_parts_model::shorten(&scalar.text);
        *key = Some((scalar.text, offset));
        if is_twice {
            let fault =
                self.fault(span, format!("the key {shown:?} occurs twice: keep one of them"));
            return Err(YamlFault { rule: "SK-04", ..fault });
        }
        Ok(())
    }

    fn alias(&mut self, span: Span, anchor: usize) -> Result<(), YamlFault> {
        let Some(Some(scalar)) = self.anchors.get(&anchor) else {
            let message = "an alias of a list or a mapping is not read: write it out";
            return Err(self.fault(span, message));
        };
        self.repeated += scalar.text.len();
        if self.repeated > MAX_YAML_BYTES {
            let message = format!("aliases repeat more than {MAX_YAML_BYTES} bytes of text");
            return Err(self.fault(span, message));
        }
        let scalar = scalar.clone();
        self.scalar(span, scalar)
    }

    fn close(&mut self, span: Span) -> Result<(), YamlFault> {
        let node = match self.open.pop() {
            Some(OpenNode::List { offset, items }) => {
                YamlNode { offset, content: YamlContent::List(items) }
            }
            Some(OpenNode::Map { entries, .. }) if self.open.is_empty() => {
                self.root = Some(entries);
                return Ok(());
            }
            Some(OpenNode::Map { offset, entries, .. }) => {
                YamlNode { offset, content: YamlContent::Map(entries) }
            }
            None => return Ok(()),
        };
        self.add(span, node)
    }

    fn add(&mut self, span: Span, node: YamlNode) -> Result<(), YamlFault> {
        match self.open.last_mut() {
            Some(OpenNode::List { items, .. }) => items.push(node),
            Some(OpenNode::Map { entries, key, .. }) => {
                if let Some((key, offset)) = key.take() {
                    entries.push(YamlEntry { key, offset, value: node });
                }
            }
            None => {
                let kind = if node.is_null() { "nothing" } else { node.kind() };
                let message = format!(
                    "the frontmatter is {kind}: it must be a mapping, with lines such as name: my-skill"
                );
                return Err(self.fault(span, message));
            }
        }
        Ok(())
    }

    fn fault(&mut self, span: Span, message: impl Into<String>) -> YamlFault {
        YamlFault::new(self.places.byte(span.start.index()), self.path(), message)
    }

    /// The value that is being read, as a JSON Pointer.
    fn path(&self) -> String {
        let mut path = String::new();
        for open in &self.open {
            match open {
                OpenNode::List { items, .. } => pointer_step(&mut path, &items.len().to_string()),
                OpenNode::Map { key: Some((key, _)), .. } => pointer_step(&mut path, key),
                OpenNode::Map { key: None, .. } => {}
            }
        }
        path
    }
}
