//! The rules of a walk that do not come from ignore files.

/// Is this entry passed over whatever the ignore files say? `.git` always is. A hidden directory (its name
/// begins with a dot) is, unless `enters_hidden`: grep enters them, glob does not. A hidden file is never
/// passed over here: [`Glob::lists`](super::Glob::lists) says whether glob lists it. `name` has no folders.
#[must_use]
pub fn is_skipped(name: &str, is_directory: bool, enters_hidden: bool) -> bool {
    name == ".git" || (is_directory && !enters_hidden && name.starts_with('.'))
}

/// The pattern as one of paths below `directory` (absolute, with `/` between names).
///
/// A pattern that begins with the directory loses it and keeps the `/` behind it, so it matches from the
/// directory on; `./` in front becomes that `/`; any other pattern is given back as it is. A `!` in front is
/// kept.
///
/// ```
/// use apex_parts_tools::glob::relative_pattern;
///
/// assert_eq!(relative_pattern("/home/me/src/*.ts", "/home/me"), "/src/*.ts");
/// assert_eq!(relative_pattern("./src/*.ts", "/home/me"), "/src/*.ts");
/// assert_eq!(relative_pattern("*.ts", "/home/me"), "*.ts");
/// ```
#[must_use]
pub fn relative_pattern(pattern: &str, directory: &str) -> String {
    let (sign, line) = match pattern.strip_prefix('!') {
        Some(rest) => ("!", rest),
        None => ("", pattern),
    };
    let directory = directory.trim_end_matches('/');
    let below = line.strip_prefix(directory).filter(|rest| rest.starts_with('/'));
    let below = below.filter(|_| !directory.is_empty());
    let below = below.or_else(|| line.strip_prefix('.').filter(|rest| rest.starts_with('/')));
    [sign, below.unwrap_or(line)].concat()
}
