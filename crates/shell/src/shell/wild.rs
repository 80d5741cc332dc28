//! Words with globs and lists in braces, whose files are not known.

use super::letters::begins;

/// Could what a glob or a list in braces finds from this offset on be outside the folder before it?
pub(super) fn may_lead_out(text: &str, wild: usize) -> bool {
    let folder = text.get(..wild).and_then(|before| before.rfind('/')).map_or(0, |at| at + 1);
    let open = text.get(folder..).unwrap_or(text);
    let marks = ["{/", ",/", "{~", ",~", "{.", ",."];
    if marks.iter().any(|mark| open.contains(mark)) {
        return true;
    }
    // `{,a}/x` may be `/x`.
    let has_empty = ["{,", ",,", ",}"].iter().any(|mark| text.contains(mark));
    if begins(text, "{") && has_empty {
        return true;
    }
    open.split('/').any(|part| {
        // Without its lists, some of which may be empty.
        let mut depth = 0_usize;
        let rest: String = part
            .chars()
            .filter(|c| {
                match c {
                    '{' => depth += 1,
                    '}' => depth = depth.saturating_sub(1),
                    _ => return depth == 0,
                }
                false
            })
            .collect();
        rest == ".." || [".*", ".?", ".["].iter().any(|start| rest.starts_with(start))
    })
}
