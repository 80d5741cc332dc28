//! The fields of an object, sorted into those that a shape knows and others.

use super::shape::{JsonShape, ShapeField, ShapeKind};
use apex_parts_json::tape::Node;
use apex_parts_model::{Kind, View};
use std::borrow::Cow;

/// The values of the fields of a shape, in its order.
pub(crate) struct PickedFields<'a> {
    fields: &'static [ShapeField],
    values: Vec<Option<Node<'a>>>,
}

impl<'a> PickedFields<'a> {
    /// Picks the fields of an object; if a name comes twice, the last one counts, as for `JSON.parse`. `other` gets
    /// those that the shape does not know.
    pub(crate) fn new(
        object: Node<'a>,
        fields: &'static [ShapeField],
        mut other: impl FnMut(&str, Node<'a>),
    ) -> PickedFields<'a> {
        let mut values = vec![None; fields.len()];
        for (key, value) in object.fields() {
            let name = key.str().unwrap_or_default();
            match fields.iter().position(|field| field.name == name) {
                Some(place) => values.get_mut(place).into_iter().for_each(|v| *v = Some(value)),
                None => other(&name, value),
            }
        }
        PickedFields { fields, values }
    }

    /// Each field with its value.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&'static ShapeField, Option<Node<'a>>)> {
        self.fields.iter().zip(self.values.iter().copied())
    }
}

/// The field of this name; `None` also for `null`.
pub(crate) fn field<'a>(object: Option<Node<'a>>, name: &str) -> Option<Node<'a>> {
    let fields = object?.fields();
    let found = fields.filter(|(key, _)| key.str().as_deref() == Some(name)).last();
    found.map(|(_, value)| value).filter(|value| value.kind() != Kind::Null)
}

/// The text of a string that is not empty.
pub(crate) fn text(value: Option<Node<'_>>) -> Option<Cow<'_, str>> {
    value?.str().filter(|text| !text.is_empty())
}

/// A finite number.
pub(crate) fn number(value: Option<Node<'_>>) -> Option<f64> {
    let value = value.filter(|value| value.kind() == Kind::Number)?;
    Some(value.number()).filter(|number| number.is_finite())
}

/// The value, if it is an object.
pub(crate) fn object(value: Option<Node<'_>>) -> Option<Node<'_>> {
    value.filter(|value| value.kind() == Kind::Object)
}

/// The elements of an array.
pub(crate) fn elements(value: Option<Node<'_>>) -> impl Iterator<Item = Node<'_>> {
    value.filter(|value| value.kind() == Kind::Array).into_iter().flat_map(Node::children)
}

/// The JSON of a value.
pub(crate) fn json(value: Node<'_>) -> Cow<'_, str> {
    String::from_utf8_lossy(value.json())
}

/// Which of the kinds an object is.
pub(crate) fn kind_of(
    value: Node<'_>,
    tag: &str,
    kinds: &'static [ShapeKind],
) -> Option<&'static ShapeKind> {
    let word = text(field(object(Some(value)), tag))?;
    kinds.iter().find(|kind| kind.word == word)
}

/// Can the value be made to fit? What is inside of it is made to fit, or left out.
pub(crate) fn can_fit(value: Node<'_>, shape: &JsonShape) -> bool {
    match shape {
        JsonShape::Anything => true,
        // What is no string becomes the text of its JSON.
        JsonShape::Text => value.kind() != Kind::Null,
        JsonShape::Id(prefix) => value.str().is_some_and(|id| id.starts_with(prefix)),
        JsonShape::Integer | JsonShape::Moment | JsonShape::Number | JsonShape::Positive => {
            number(Some(value)).is_some()
        }
        JsonShape::Flag => value.kind().is_bool(),
        JsonShape::Word(words) => value.str().is_some_and(|word| words.contains(&word.as_ref())),
        // What is no object is put into one.
        JsonShape::Record(JsonShape::Anything) => value.kind() != Kind::Null,
        JsonShape::Record(_) | JsonShape::Fields(_) => value.kind() == Kind::Object,
        JsonShape::List(_) => value.kind() == Kind::Array,
        JsonShape::Filled(_) => elements(Some(value)).next().is_some(),
        JsonShape::Told(_, fits) => fits(value),
        JsonShape::Kinds(tag, kinds) => kind_of(value, tag, kinds).is_some(),
    }
}
