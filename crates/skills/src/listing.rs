//! The list of skills for a model: every name, and of the descriptions what fits.

use super::direct::push_escaped;
use apex_parts_model::invisible::{Controls, VisibleText};
use apex_parts_model::order;

/// The fewest characters to which a description is cut.
const SHORTEST: usize = 40;

/// A skill that a model may call.
#[derive(Debug, Clone, Copy)]
pub struct ListedSkill<'s> {
    /// Its name.
    pub name: &'s str,
    /// What it is for.
    pub description: &'s str,
}

/// How the list is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ListingStyle {
    /// Elements of XML.
    #[default]
    Xml,
    /// A list in Markdown.
    Markdown,
}

/// How skills are listed.
#[derive(Debug, Clone, Copy)]
pub struct ListingOptions<'o> {
    /// The most code points of the text.
    pub max_chars: usize,
    /// How it is written.
    pub style: ListingStyle,
    /// Names that keep their descriptions longest, the first one the longest.
    pub recent: &'o [String],
}

impl Default for ListingOptions<'_> {
    fn default() -> Self {
        ListingOptions { max_chars: 8_000, style: ListingStyle::Xml, recent: &[] }
    }
}

/// A description that was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingCut {
    /// The name of the skill.
    pub name: String,
    /// The code points of its description that are shown.
    pub kept: usize,
}

/// The list, and what is not in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SkillListing {
    /// The text for a model; empty without skills.
    pub text: String,
    /// Skills whose description is shown in part.
    pub cut: Vec<ListingCut>,
    /// Skills of which only the name is shown.
    pub name_only: Vec<String>,
    /// Skills that are not shown.
    pub hidden: Vec<String>,
}

impl SkillListing {
    /// Lists skills in their order. The text has at most `max_chars` code points: descriptions are cut at a word
    /// to one length for all; below 40 they are left out, from the last on; then the marks around names, then names.
    /// (What says how many are left out is there also if it alone is too long.)
    ///
    /// ```
    /// use apex_parts_skills::{ListedSkill, ListingOptions, ListingStyle, SkillListing};
    ///
    /// let skills = [ListedSkill { name: "pdf", description: "Reads PDFs." }];
    /// let options = ListingOptions { style: ListingStyle::Markdown, ..ListingOptions::default() };
    /// assert_eq!(SkillListing::new(&skills, &options).text, "- pdf: Reads PDFs.");
    /// ```
    #[must_use]
    pub fn new(skills: &[ListedSkill<'_>], options: &ListingOptions<'_>) -> SkillListing {
        if skills.is_empty() {
            return SkillListing::default();
        }
        let rows: Vec<ListingRow> =
            skills.iter().map(|skill| ListingRow::new(*skill, options)).collect();
        let order = priority(skills, options.recent);
        let plan = plan(&rows, &order, options);
        write(skills, &rows, &plan, options.style)
    }
}

/// A skill, ready to be written.
struct ListingRow {
    /// The name and the description as they are written, one line each; of the description no more than can be
    /// shown.
    name: String,
    description: Vec<char>,
    /// The description has more than that.
    is_longer: bool,
    name_chars: usize,
}

impl ListingRow {
    fn new(skill: ListedSkill<'_>, options: &ListingOptions<'_>) -> ListingRow {
        let mut name = String::new();
        push_escaped(&mut name, &VisibleText::inside(skill.name, Controls::Keep).text, " ");
        let name_chars = name.chars().count();
        let seen = VisibleText::inside(skill.description, Controls::Keep);
        let mut rest = one_line(seen.text.trim());
        let description: Vec<char> =
            rest.by_ref().take(options.max_chars.saturating_add(1)).collect();
        ListingRow { name, description, is_longer: rest.next().is_some(), name_chars }
    }

    /// How many characters of the description are shown if it may have this many, and whether it is cut.
    fn kept(&self, limit: usize) -> (usize, bool) {
        if !self.is_longer && self.description.len() <= limit {
            return (self.description.len(), false);
        }
        let most = limit.saturating_sub(1).min(self.description.len());
        let is_space = |at: usize| self.description.get(at).is_some_and(|c| c.is_whitespace());
        let is_word_end = |at: usize| at > 0 && is_space(at) && !is_space(at - 1);
        // Writing without spaces has no word ends, and a very long word is none to wait for.
        let end = (most / 2..=most).rev().find(|at| is_word_end(*at)).unwrap_or(most);
        let trimmed = (0..end).rev().find(|at| !is_space(*at)).map_or(0, |at| at + 1);
        (trimmed, true)
    }

    /// The code points that the description takes up, as it is written.
    fn written(&self, limit: usize) -> usize {
        let (kept, is_cut) = self.kept(limit);
        let prefix = self.description.iter().take(kept);
        prefix.map(|c| escaped_chars(*c)).sum::<usize>() + usize::from(is_cut)
    }
}

/// The characters of a text in which line breaks are spaces.
fn one_line(text: &str) -> impl Iterator<Item = char> {
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || {
        let c = chars.next()?;
        if c == '\r' {
            chars.next_if_eq(&'\n');
        }
        Some(if matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') { ' ' } else { c })
    })
}

fn escaped_chars(c: char) -> usize {
    match c {
        '&' => "&amp;".len(),
        '<' | '>' => "&lt;".len(),
        '"' => "&quot;".len(),
        _ => 1,
    }
}

/// The indexes of the skills: the recent ones first, the others in their order.
fn priority(skills: &[ListedSkill<'_>], recent: &[String]) -> Vec<usize> {
    let ranks: apex_parts_model::sorted_map::SortedMap<&str, usize> =
        order::inserted(recent.iter().enumerate().rev().map(|(rank, name)| (name.as_str(), rank)));
    let rank = |index: usize| {
        skills.get(index).and_then(|skill| ranks.get(skill.name)).copied().unwrap_or(usize::MAX)
    };
    order::order(skills.len(), &|a, b| rank(a).cmp(&rank(b)))
}

/// What is shown of each skill.
struct ListingPlan {
    /// The most characters of a description.
    limit: usize,
    /// By skill: whether its description is shown, and its name.
    described: Vec<bool>,
    named: Vec<bool>,
    /// Names alone, without marks around them: there is no room for those.
    is_bare: bool,
}

fn plan(rows: &[ListingRow], order: &[usize], options: &ListingOptions<'_>) -> ListingPlan {
    let all = vec![true; rows.len()];
    let style = options.style;
    let mut plan =
        ListingPlan { limit: usize::MAX, described: all.clone(), named: all, is_bare: false };
    for (described, row) in plan.described.iter_mut().zip(rows) {
        *described = !row.description.is_empty();
    }
    let fits = |plan: &ListingPlan| total(rows, plan, style) <= options.max_chars;
    if fits(&plan) {
        return plan;
    }
    plan.limit = SHORTEST;
    if fits(&plan) {
        let (mut fitting, mut too_long) = (SHORTEST, options.max_chars.saturating_add(1));
        while fitting + 1 < too_long {
            plan.limit = fitting + (too_long - fitting) / 2;
            if fits(&plan) { fitting = plan.limit } else { too_long = plan.limit }
        }
        plan.limit = fitting;
        return plan;
    }
    // Without descriptions, and then one more as long as they fit.
    let wanted = std::mem::replace(&mut plan.described, vec![false; rows.len()]);
    if fits(&plan) {
        keep_first(order, rows.len(), |kept| {
            plan.described =
                kept.iter().zip(&wanted).map(|(kept, wanted)| *kept && *wanted).collect();
            fits(&plan)
        });
        return plan;
    }
    plan.is_bare = true;
    if fits(&plan) {
        return plan;
    }
    keep_first(order, rows.len(), |kept| {
        kept.clone_into(&mut plan.named);
        fits(&plan)
    });
    plan
}

/// Tries the first so many of the order, and ends with the most that fit.
fn keep_first(order: &[usize], rows: usize, mut fits: impl FnMut(&[bool]) -> bool) {
    let first = |count: usize| {
        let mut kept = vec![false; rows];
        for index in order.iter().take(count) {
            if let Some(kept) = kept.get_mut(*index) {
                *kept = true;
            }
        }
        kept
    };
    let (mut fitting, mut too_many) = (0, order.len());
    while fitting + 1 < too_many {
        let middle = fitting + (too_many - fitting) / 2;
        if fits(&first(middle)) { fitting = middle } else { too_many = middle }
    }
    fits(&first(fitting));
}

const XML_BEFORE: &str = "<available_skills>";
const XML_AFTER: &str = "</available_skills>";
/// Before and after a name with a description, after the description, and around the names without one.
type Marks = [&'static str; 5];
const XML: Marks = ["<skill name=\"", "\">", "</skill>", "<names>", "</names>"];
const MARKDOWN: Marks = ["- ", ": ", "", "- ", ""];

const BARE: Marks = [""; 5];

fn marks(plan: &ListingPlan, style: ListingStyle) -> Marks {
    match style {
        _ if plan.is_bare => BARE,
        ListingStyle::Xml => XML,
        ListingStyle::Markdown => MARKDOWN,
    }
}

/// Whether there is an element around all.
fn is_wrapped(plan: &ListingPlan, style: ListingStyle) -> bool {
    style == ListingStyle::Xml && !plan.is_bare
}

/// The code points of the text: those of each line, and a line break between two.
fn total(rows: &[ListingRow], plan: &ListingPlan, style: ListingStyle) -> usize {
    let [before, middle, after, names_before, names_after] = marks(plan, style);
    let (mut chars, mut lines, mut names, mut hidden) = (0, 0_usize, 0_usize, 0_usize);
    for ((row, described), named) in rows.iter().zip(&plan.described).zip(&plan.named) {
        if !named {
            hidden += 1;
            continue;
        }
        chars += row.name_chars;
        if *described {
            chars += before.len() + middle.len() + after.len() + row.written(plan.limit);
            lines += 1;
        } else {
            names += 1;
        }
    }
    if names > 0 {
        chars += names_before.len() + names_after.len() + ", ".len() * (names - 1);
        lines += 1;
    }
    if is_wrapped(plan, style) && lines > 0 {
        chars += XML_BEFORE.len() + XML_AFTER.len();
        lines += 2;
    }
    if hidden > 0 {
        chars += more(hidden).len();
        lines += 1;
    }
    chars + lines.saturating_sub(1)
}

fn more(hidden: usize) -> String {
    format!("({hidden} more)")
}

fn write(
    skills: &[ListedSkill<'_>],
    rows: &[ListingRow],
    plan: &ListingPlan,
    style: ListingStyle,
) -> SkillListing {
    let [before, middle, after, names_before, names_after] = marks(plan, style);
    let mut listing = SkillListing::default();
    let mut lines: Vec<String> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for (index, (skill, row)) in skills.iter().zip(rows).enumerate() {
        let has = |list: &[bool]| list.get(index).copied().unwrap_or_default();
        if !has(&plan.named) {
            listing.hidden.push(skill.name.to_owned());
        } else if has(&plan.described) {
            let (kept, is_cut) = row.kept(plan.limit);
            let prefix: String = row.description.iter().take(kept).collect();
            let mut line = format!("{before}{}{middle}", row.name);
            push_escaped(&mut line, &prefix, " ");
            if is_cut {
                line.push('…');
                listing.cut.push(ListingCut { name: skill.name.to_owned(), kept });
            }
            line.push_str(after);
            lines.push(line);
        } else {
            listing.name_only.push(skill.name.to_owned());
            names.push(&row.name);
        }
    }
    if !names.is_empty() {
        lines.push(format!("{names_before}{}{names_after}", names.join(", ")));
    }
    if is_wrapped(plan, style) && !lines.is_empty() {
        lines.insert(0, XML_BEFORE.to_owned());
        lines.push(XML_AFTER.to_owned());
    }
    if !listing.hidden.is_empty() {
        lines.push(more(listing.hidden.len()));
    }
    listing.text = lines.join("\n");
    listing
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
