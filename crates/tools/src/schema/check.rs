//! Checks a value against a compiled schema.

use super::compile::JsonSchema;
use super::exact::{has_inexact, is_exact};
use super::issue::{RepairKind, SchemaIssue, ValueStep};
use super::literal::Literal;
use super::node::{
    ARRAY, BOOLEAN, Bound, NUMBER, NUMBERS, OBJECT, Others, STRING, SchemaNode, TypeSet, type_of,
};
use super::words::received;
use apex_parts_json::float;
use apex_parts_json::scan::number;
use apex_parts_model::order;
use apex_parts_model::{Kind, View};

/// Whether a text (the second) has a match of a regular expression (the first), as the host's engine
/// decides; true if the expression is not valid. Both are untrusted: an engine that backtracks can block.
pub type MatchPattern<'m> = &'m mut dyn FnMut(&str, &str) -> bool;

/// The most issues that are listed.
const MAX_ISSUES: usize = 100;
/// The most levels of a value that are checked, and of `$ref`s that lead to `$ref`s.
const MAX_DEPTH: usize = 256;
/// The most pairs of schema and value that are compared.
const MAX_WORK: usize = 2_000_000;

impl JsonSchema {
    /// What does not fit, in the order of the schema; empty if the value fits. At most 100 issues.
    ///
    /// A value that nests too deep, or costs too much to compare, does not fit.
    pub fn check<V: View>(&self, value: &V, pattern: MatchPattern<'_>) -> Vec<SchemaIssue> {
        let mut check = Check {
            schema: self,
            pattern,
            issues: Vec::new(),
            path: Vec::new(),
            work: 0,
            depth: 0,
            is_too_deep: false,
            is_wrapping: false,
        };
        check.value(0, value, false);
        if check.is_over() {
            check.issues.clear();
            check.issues.push(SchemaIssue {
                path: Vec::new(),
                message: "too large or too deep to be checked".to_owned(),
                expected: "less".to_owned(),
                received: received(value),
                repair: None,
            });
        }
        check.issues
    }
}

struct Check<'c, 'm> {
    schema: &'c JsonSchema,
    pattern: MatchPattern<'m>,
    issues: Vec<SchemaIssue>,
    path: Vec<ValueStep>,
    work: usize,
    depth: usize,
    is_too_deep: bool,
    /// Whether a value is being tried as the element of an array: then it is not wrapped again.
    is_wrapping: bool,
}

impl<'c> Check<'c, '_> {
    fn is_over(&self) -> bool {
        self.is_too_deep || self.work > MAX_WORK
    }

    fn report(&mut self, message: String, expected: String, received: String) {
        if self.issues.len() < MAX_ISSUES {
            let path = self.path.clone();
            self.issues.push(SchemaIssue { path, message, expected, received, repair: None });
        }
    }

    /// Reports that the schema with this index wants something else.
    fn mismatch<V: View>(&mut self, index: usize, value: &V, repair: Option<RepairKind>) {
        if self.issues.len() >= MAX_ISSUES {
            return;
        }
        let (expected, received) = (self.schema.expected(index), received(value));
        let message = if value.kind() == Kind::Missing {
            format!("required, {expected}")
        } else {
            format!("expected {expected}, got {received}")
        };
        self.report(message, expected, received);
        if let (Some(repair), Some(issue)) = (repair, self.issues.last_mut()) {
            issue.repair = Some(repair);
        }
    }

    /// Adds to the last issue why a text that looks like a number, or like JSON, is not read.
    fn say_inexact<V: View>(&mut self, node: &SchemaNode, value: &V) {
        let wants = |types: TypeSet| node.types & types != 0;
        let Some(text) = value.text() else { return };
        let is_number = wants(NUMBERS) && number(text.as_bytes(), 0) == Ok(text.len());
        let why = if is_number && !is_exact(&text) {
            "; it is read as another number, because it has more digits than a number holds"
        } else if is_json_of(node, &text) && has_inexact(&text) {
            "; a number in it is read as another one, because it has more digits than a number holds"
        } else {
            return;
        };
        if let Some(issue) = self.issues.last_mut() {
            issue.message.push_str(why);
        }
    }

    fn within<V: View>(&mut self, step: ValueStep, index: usize, value: &V, is_optional: bool) {
        self.path.push(step);
        self.value(index, value, is_optional);
        self.path.pop();
    }

    /// Compares a value with a schema. `is_optional`: it is the field of an object that could be left out.
    fn value<V: View>(&mut self, index: usize, value: &V, is_optional: bool) {
        let Some(node) = self.schema.node(index) else { return };
        self.work += 1;
        self.is_too_deep |= self.depth >= MAX_DEPTH;
        if self.is_over() {
            return;
        }
        self.depth += 1;
        self.compare(node, index, value, is_optional);
        self.depth -= 1;
    }

    fn compare<V: View>(
        &mut self,
        node: &'c SchemaNode,
        index: usize,
        value: &V,
        is_optional: bool,
    ) {
        if let Some((_, target)) = node.reference {
            self.value(target, value, is_optional);
        }
        let types = type_of(value.kind(), value.number());
        let has_type = node.types == 0 || node.types & types != 0;
        if node.is_never || !has_type {
            let repair = self.repair(node, value, is_optional);
            self.mismatch(index, value, repair);
            if repair.is_none() {
                self.say_inexact(node, value);
            }
            return;
        }
        if let Some(literals) = &node.literals
            && !literals.iter().any(|literal| literal.is(value))
        {
            self.mismatch(index, value, literal_repair(literals, value));
            return;
        }
        match value.kind() {
            Kind::String | Kind::EmptyString => self.string(node, index, value),
            Kind::Number => self.bounds(node, index, value, NUMBERS, value.number()),
            Kind::Array => self.array(node, index, value),
            Kind::Object => self.object(node, index, value),
            _ => {}
        }
        for branch in &node.all_of {
            self.value(*branch, value, is_optional);
        }
        if !node.any_of.is_empty() {
            self.branches(&node.any_of, index, value, is_optional, usize::MAX);
        }
        if !node.one_of.is_empty() {
            self.branches(&node.one_of, index, value, is_optional, 1);
        }
        if let Some(not) = node.not
            && self.tried(not, value, false).is_empty()
        {
            let unwanted = self.schema.expected(not);
            let message = format!("must not be {unwanted}");
            self.report(message, format!("not {unwanted}"), received(value));
        }
    }

    /// The issues of a schema, without reporting them.
    fn tried<V: View>(&mut self, index: usize, value: &V, is_optional: bool) -> Vec<SchemaIssue> {
        let before = std::mem::take(&mut self.issues);
        self.value(index, value, is_optional);
        std::mem::replace(&mut self.issues, before)
    }

    /// At least one of the branches must fit, and at most `most` of them.
    fn branches<V: View>(
        &mut self,
        branches: &[usize],
        index: usize,
        value: &V,
        is_optional: bool,
        most: usize,
    ) {
        let mut fitting = 0;
        let mut best: Option<Vec<SchemaIssue>> = None;
        let mut repair = None;
        for branch in branches {
            let issues = self.tried(*branch, value, is_optional);
            let Some(first) = issues.first() else {
                fitting += 1;
                if most == usize::MAX {
                    return;
                }
                continue;
            };
            // A branch whose issues are further inside is the one that was meant.
            if issues.iter().any(|issue| issue.path.len() == self.path.len()) {
                repair = repair.or(first.repair.filter(|_| first.path.len() == self.path.len()));
            } else if best.as_ref().is_none_or(|best| issues.len() < best.len()) {
                best = Some(issues);
            }
        }
        match (fitting, best) {
            (0, Some(best)) => {
                let left = MAX_ISSUES.saturating_sub(self.issues.len());
                self.issues.extend(best.into_iter().take(left));
            }
            (0, None) => self.mismatch(index, value, repair),
            _ if fitting > most => {
                let expected = self.schema.expected(index);
                let message = format!("fits more than one of {expected}; it must fit exactly one");
                self.report(message, expected, received(value));
            }
            _ => {}
        }
    }

    #[allow(clippy::cast_precision_loss)] // no text has 2^53 characters
    fn string<V: View>(&mut self, node: &'c SchemaNode, index: usize, value: &V) {
        if node.bounds.is_empty() && node.pattern.is_none() {
            return;
        }
        let Some(text) = value.text() else { return };
        self.bounds(node, index, value, STRING, text.chars().count() as f64);
        if let Some(pattern) = &node.pattern
            && !(self.pattern)(pattern, &text)
        {
            self.mismatch(index, value, None);
        }
    }

    fn bounds<V: View>(
        &mut self,
        node: &SchemaNode,
        index: usize,
        value: &V,
        types: TypeSet,
        size: f64,
    ) {
        let breaks =
            |(bound, limit): &(Bound, f64)| bound.of_type() == types && !bound.holds(size, *limit);
        if node.bounds.iter().any(breaks) {
            self.mismatch(index, value, None);
        }
    }

    #[allow(clippy::cast_precision_loss)] // no array has 2^53 elements
    fn array<V: View>(&mut self, node: &'c SchemaNode, index: usize, value: &V) {
        self.bounds(node, index, value, ARRAY, value.len() as f64);
        if node.prefix.is_empty() && node.other_elements == Others::Any {
            return;
        }
        value.each(usize::MAX, &mut |at, element| {
            let step = ValueStep::Element(at);
            match (node.prefix.get(at), node.other_elements) {
                (Some(schema), _) => self.within(step, *schema, element, false),
                (None, Others::Fit(schema)) if !self.is_over() => {
                    self.within(step, schema, element, false);
                }
                (None, Others::None) if at == node.prefix.len() => self.too_many(at, value),
                _ => {}
            }
        });
    }

    /// Reports that an array may have no more elements than these.
    fn too_many<V: View>(&mut self, most: usize, value: &V) {
        let expected = match most {
            0 => "no elements".to_owned(),
            1 => "at most 1 element".to_owned(),
            _ => format!("at most {most} elements"),
        };
        let message = format!("expected {expected}, got {}", value.len());
        self.report(message, expected, received(value));
    }

    /// The fields come in the order of the value, each valid only while it is shown; issues are reported in
    /// the order of the schema.
    #[allow(clippy::cast_precision_loss)] // no object has 2^53 fields
    fn object<V: View>(&mut self, node: &'c SchemaNode, index: usize, value: &V) {
        let others = node.properties.len();
        let mut branches: Vec<(usize, Vec<SchemaIssue>)> = Vec::new();
        let mut missing: Vec<&String> = node.required.iter().collect();
        let mut size = 0_u32;
        value.each_field(&mut |name, value| {
            if value.kind() == Kind::Missing || self.is_over() {
                return;
            }
            size += 1;
            self.work += 1 + others / 8 + missing.len() / 8;
            missing.retain(|required| *required != name);
            let place = node.properties.iter().position(|(own, _)| own == name);
            let before = std::mem::take(&mut self.issues);
            let property = place.and_then(|place| node.properties.get(place));
            let step = ValueStep::Field(name.to_owned());
            match (property, node.other_fields) {
                (Some((_, schema)), _) => {
                    let is_required = node.required.binary_search_by(|own| own.as_str().cmp(name));
                    self.within(step, *schema, value, is_required.is_err());
                }
                (None, Others::Any) => {}
                (None, Others::Fit(schema)) => self.within(step, schema, value, true),
                (None, Others::None) => {
                    self.path.push(step);
                    let message = "not a parameter; leave it out".to_owned();
                    self.report(message, "nothing".to_owned(), received(value));
                    self.path.pop();
                }
            }
            let issues = std::mem::replace(&mut self.issues, before);
            if !issues.is_empty() && branches.len() < MAX_ISSUES {
                branches.push((place.unwrap_or(others), issues));
            }
        });
        self.bounds(node, index, value, OBJECT, f64::from(size));
        for required in missing {
            let place = node.properties.iter().position(|(own, _)| own == required);
            let schema = place.and_then(|place| node.properties.get(place));
            let expected = schema
                .map_or_else(|| "a value".to_owned(), |(_, schema)| self.schema.expected(*schema));
            let before = std::mem::take(&mut self.issues);
            self.missing(ValueStep::Field(required.clone()), expected);
            branches.push((place.unwrap_or(others), std::mem::replace(&mut self.issues, before)));
        }
        order::sort_by(&mut branches, |a, b| a.0.cmp(&b.0));
        let left = MAX_ISSUES.saturating_sub(self.issues.len());
        self.issues.extend(branches.into_iter().flat_map(|(_, issues)| issues).take(left));
    }

    fn missing(&mut self, step: ValueStep, expected: String) {
        self.path.push(step);
        self.report(format!("required, {expected}"), expected, "nothing".to_owned());
        self.path.pop();
    }

    /// The change by which a value of another type may fit.
    fn repair<V: View>(
        &mut self,
        node: &SchemaNode,
        value: &V,
        is_optional: bool,
    ) -> Option<RepairKind> {
        let wants = |types: TypeSet| node.types & types != 0;
        match value.kind() {
            Kind::Null if is_optional => return Some(RepairKind::Remove),
            Kind::String => {
                let text = value.text()?;
                if wants(NUMBERS) && is_number(&text, !wants(NUMBER)) {
                    return Some(RepairKind::Number);
                }
                if wants(BOOLEAN) && matches!(&*text, "true" | "false" | "True" | "False") {
                    return Some(RepairKind::Boolean);
                }
                if is_json_of(node, &text) {
                    return (!has_inexact(&text)).then_some(RepairKind::Parse);
                }
            }
            _ => {}
        }
        let can_wrap = wants(ARRAY)
            && !self.is_wrapping
            && !matches!(value.kind(), Kind::Null | Kind::Missing);
        let fits = can_wrap
            && match (node.prefix.first().copied(), node.other_elements) {
                (Some(schema), _) | (None, Others::Fit(schema)) => {
                    self.is_wrapping = true;
                    let issues = self.tried(schema, value, false);
                    self.is_wrapping = false;
                    // Elements that go round for ever are none that it could be.
                    let can_fit = |issue: &SchemaIssue| issue.repair.is_some();
                    !std::mem::take(&mut self.is_too_deep) && issues.iter().all(can_fit)
                }
                (None, others) => others == Others::Any,
            };
        fits.then_some(RepairKind::Wrap)
    }
}

/// Whether a text may be the JSON of an object or array that a schema wants.
fn is_json_of(node: &SchemaNode, text: &str) -> bool {
    let first = text.trim_start().bytes().next();
    (node.types & OBJECT != 0 && first == Some(b'{'))
        || (node.types & ARRAY != 0 && first == Some(b'['))
}

/// Whether the text is a JSON number that is read as what it says, and a whole one if it must be.
fn is_number(text: &str, is_whole: bool) -> bool {
    number(text.as_bytes(), 0) == Ok(text.len())
        && is_exact(text)
        && (!is_whole || float::parse(text).is_some_and(|number| number.fract() == 0.0))
}

fn literal_repair<V: View>(literals: &[Literal], value: &V) -> Option<RepairKind> {
    let text = value.text()?;
    literals.iter().find_map(|literal| {
        let mut own = String::new();
        literal.write(&mut own);
        match literal {
            Literal::Number(_) if own == text => Some(RepairKind::Number),
            Literal::Bool(_) if own == text => Some(RepairKind::Boolean),
            _ => None,
        }
    })
}
