//! Direct mode: the text of a skill for a model.

/// When the text is wrapped in a tag, with the folder of the skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DirectWrap {
    /// Where the folder has other files.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A skill's folder.
#[derive(Debug, Clone, Copy)]
pub struct SkillFolder<'s> {
    /// The name of the skill.
    pub name: &'s str,
    /// The path of the folder.
    pub dir: &'s str,
    /// The paths of its other files, relative to it.
    pub files: &'s [String],
    /// It has more files.
    pub files_cut: bool,
}

/// What a call of a skill without a script gives: its body, trimmed. Nothing in it is replaced.
///
/// ```
/// use apex_parts_skills::{DirectWrap, SkillFolder, direct_text};
///
/// let folder = SkillFolder { name: "pdf", dir: "/skills/pdf", files: &[], files_cut: false };
/// assert_eq!(direct_text("\nOpen it.\n", folder, DirectWrap::Auto), "Open it.");
/// assert_eq!(direct_text(" \n", folder, DirectWrap::Auto), "(this skill has no instructions)");
/// ```
#[must_use]
pub fn direct_text(body: &str, folder: SkillFolder<'_>, wrap: DirectWrap) -> String {
    let trimmed = body.trim();
    let body = if trimmed.is_empty() { "(this skill has no instructions)" } else { trimmed };
    let is_wrapped = match wrap {
        DirectWrap::Always => true,
        DirectWrap::Never => false,
        DirectWrap::Auto => !folder.files.is_empty(),
    };
    if !is_wrapped {
        return body.to_owned();
    }
    let mut out = String::from("<skill_content name=\"");
    push_escaped(&mut out, folder.name, "&#10;");
    out.push_str("\">\n");
    out.push_str(body);
    out.push_str("\n\nSkill directory: ");
    // A path is used as it stands; only a line break would make another line of it.
    out.push_str(&folder.dir.replace(['\n', '\r'], "&#10;"));
    out.push_str("\nPaths are relative to it.\n");
    if !folder.files.is_empty() {
        out.push_str("<skill_files>\n");
        for file in folder.files {
            out.push_str("<file>");
            push_escaped(&mut out, file, "&#10;");
            out.push_str("</file>\n");
        }
        if folder.files_cut {
            out.push_str("(more files are not listed)\n");
        }
        out.push_str("</skill_files>\n");
    }
    out.push_str("</skill_content>");
    out
}

/// Appends a text as XML writes it, with this for a line break.
pub(super) fn push_escaped(out: &mut String, text: &str, line_break: &str) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' => out.push_str(line_break),
            c => out.push(c),
        }
    }
}
