//! The files of a unified diff, as git writes it.

use super::patch::ChangedFile;

/// The most files of one diff.
const MOST: usize = 10_000;

/// The files of a unified diff, in its order, with the lines that each gained and lost; none if the text has no diff.
/// Lines may end in CRLF.
#[must_use]
pub fn diff_files(diff: &str) -> Vec<ChangedFile> {
    let mut files: Vec<ChangedFile> = Vec::new();
    // The lines of the hunk that are still to come, of the old file and of the new one.
    let mut left = (0_u32, 0_u32);
    let mut old = None;
    for line in diff.lines() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if left != (0, 0) {
            let Some(file) = files.last_mut() else { break };
            match line.as_bytes().first() {
                Some(b'+') => {
                    file.added += 1;
                    left.1 = left.1.saturating_sub(1);
                }
                Some(b'-') => {
                    file.removed += 1;
                    left.0 = left.0.saturating_sub(1);
                }
                Some(b'\\') => {}
                _ => left = (left.0.saturating_sub(1), left.1.saturating_sub(1)),
            }
            continue;
        }
        if let Some(sizes) = line.strip_prefix("@@ ").and_then(hunk_sizes) {
            left = sizes;
        } else if let Some(paths) = line.strip_prefix("diff --git ") {
            if files.len() == MOST {
                break;
            }
            let path = new_path(paths).unwrap_or_default();
            files.push(ChangedFile { path, added: 0, removed: 0 });
            old = None;
        } else if let Some(path) = line.strip_prefix("--- ") {
            old = Some(path_of(path));
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let before = old.take();
            let is_new = before.is_some() && !is_named(&files);
            let path = path_of(path).or(before.flatten()).unwrap_or_default();
            if is_new {
                if files.len() == MOST {
                    break;
                }
                files.push(ChangedFile { path, added: 0, removed: 0 });
            } else if let Some(file) = files.last_mut() {
                file.path = path;
            }
        }
    }
    files.retain(|file| !file.path.is_empty());
    files
}

/// Has the last file been named by a header of git, and nothing else been read of it?
fn is_named(files: &[ChangedFile]) -> bool {
    files.last().is_some_and(|file| (file.added, file.removed) == (0, 0))
}

/// The numbers of lines in `-1,7 +1,8 @@ …`.
fn hunk_sizes(head: &str) -> Option<(u32, u32)> {
    let mut ranges = head.split(' ');
    let size = |range: &str| match range.split_once(',') {
        Some((_, size)) => size.parse().ok(),
        None => Some(1),
    };
    let old = size(ranges.next()?.strip_prefix('-')?)?;
    let new = size(ranges.next()?.strip_prefix('+')?)?;
    Some((old, new))
}

/// The path after `+++` or `---`; `None` for that of no file.
fn path_of(text: &str) -> Option<String> {
    // What follows a tab is a time.
    let text = text.split('\t').next().unwrap_or_default();
    let path = unquoted(text);
    if path == "/dev/null" {
        return None;
    }
    let side = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/"));
    Some(side.unwrap_or(&path).to_owned())
}

/// The second path of `a/x b/x`.
fn new_path(paths: &str) -> Option<String> {
    let at = if paths.ends_with('"') { paths.rfind(" \"b/") } else { paths.rfind(" b/") }?;
    path_of(paths.get(at + 1..)?)
}

/// A path without the quotation marks and escapes of git.
fn unquoted(text: &str) -> String {
    let Some(inner) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else {
        return text.to_owned();
    };
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let mut code = 0_u32;
        let mut digits = 0;
        while let Some(digit) = rest.next_if(|byte| digits < 3 && (b'0'..b'8').contains(byte)) {
            code = code * 8 + u32::from(digit - b'0');
            digits += 1;
        }
        bytes.push(match digits {
            0 => match rest.next() {
                Some(b't') => b'\t',
                Some(b'n') => b'\n',
                Some(other) => other,
                None => b'\\',
            },
            _ => u8::try_from(code).unwrap_or(b'?'),
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    fn of(diff: &str) -> Vec<(String, u32, u32)> {
        diff_files(diff).into_iter().map(|file| (file.path, file.added, file.removed)).collect()
    }

    #[test]
    fn each_file_has_its_lines() {
        let git = "diff --git a/src/div.py b/src/div.py\nindex 20edef5..5857437 100755\n--- a/src/div.py\n+++ b/src/div.py\n@@ -1,3 +1,4 @@\n x\n-def d(a)\n+def d(a):\n+    pass\n y\n";
        assert_eq!(of(git), [("src/div.py".to_owned(), 2, 1)]);
        assert_eq!(of(&git.replace('\n', "\r\n")), of(git));
        let two = format!("{git}{}", git.replace("src/div.py", "b c.py"));
        assert_eq!(of(&two), [("src/div.py".to_owned(), 2, 1), ("b c.py".to_owned(), 2, 1)]);
        let plain = "--- old.c\t2026-01-01\n+++ new.c\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n--- x\n+++ y\n@@ -0,0 +1 @@\n+c\n";
        assert_eq!(of(plain), [("new.c".to_owned(), 1, 1), ("y".to_owned(), 1, 0)]);
    }

    #[test]
    fn lines_that_look_like_headers_are_content() {
        let sql = "diff --git a/a.sql b/a.sql\n--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1,2 @@\n--- a comment\n+++ another\n x\n";
        assert_eq!(of(sql), [("a.sql".to_owned(), 1, 1)]);
    }

    #[test]
    fn files_without_lines_are_named() {
        let gone = "diff --git a/old b/old\ndeleted file mode 100644\n--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        assert_eq!(of(gone), [("old".to_owned(), 0, 1)]);
        let moved = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
        assert_eq!(of(moved), [("y".to_owned(), 0, 0)]);
        let quoted = "diff --git \"a/gr\\303\\274n\" \"b/gr\\303\\274n\"\n";
        assert_eq!(of(quoted), [("grün".to_owned(), 0, 0)]);
        assert_eq!(of("flag{7}"), []);
        assert_eq!(of("@@ -1 +1 @@\n-x\n"), []);
    }
}
