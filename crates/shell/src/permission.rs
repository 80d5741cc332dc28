//! Permission rules: which of them decides a request.

use super::beginnings::Beginnings;
use super::wildcard::{matches, may_match};

/// What a rule says of what it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permit {
    /// It is done without asking.
    Allow,
    /// It is refused.
    Deny,
    /// Someone is asked.
    Ask,
}

impl Permit {
    /// The word of the configuration: `allow`, `deny` or `ask`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Permit::Allow => "allow",
            Permit::Deny => "deny",
            Permit::Ask => "ask",
        }
    }

    /// What the word says; `None` if it is another word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Permit> {
        [Permit::Allow, Permit::Deny, Permit::Ask].into_iter().find(|p| p.as_str() == word)
    }
}

/// One rule: two wildcards ([`matches()`]) and what holds where both match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionRule {
    /// The kind of request: `edit`, `bash`, `mcp_*`.
    pub permission: String,
    /// What is requested: a path, a command, a URL.
    pub pattern: String,
    /// What holds.
    pub permit: Permit,
}

/// Rules in order; the last that matches decides.
///
/// ```
/// use apex_parts_shell::permission::{Permit, Rules};
///
/// let rules = Rules::new([("bash", "*", Permit::Ask), ("bash", "rm *", Permit::Deny)]);
/// let rule = rules.last("bash", "rm -rf .").and_then(|index| rules.get(index));
/// assert_eq!(rule.map(|rule| rule.permit), Some(Permit::Deny));
/// assert_eq!(rules.last("edit", "a.txt"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rules {
    list: Vec<PermissionRule>,
    /// The permissions of the rules, mostly each once: there are few, and each is matched once for a request.
    permissions: Vec<String>,
    /// For each rule, the index of its permission.
    of: Vec<usize>,
    /// Which rules a text may match, by how their patterns begin.
    beginnings: Beginnings,
}

impl Rules {
    /// Rules, given as permission, pattern and permit.
    pub fn new<S: Into<String>>(rules: impl IntoIterator<Item = (S, S, Permit)>) -> Rules {
        let mut made = Rules::default();
        for (permission, pattern, permit) in rules {
            made.push(PermissionRule {
                permission: permission.into(),
                pattern: pattern.into(),
                permit,
            });
        }
        made
    }

    /// Adds a rule after the others.
    pub fn push(&mut self, rule: PermissionRule) {
        // The last few: rules of one permission stand together, and a permission listed twice costs little.
        let near = self.permissions.iter().enumerate().rev().take(16);
        let known = near.filter(|(_, own)| **own == rule.permission).map(|(at, _)| at).next();
        self.of.push(known.unwrap_or(self.permissions.len()));
        if known.is_none() {
            self.permissions.push(rule.permission.clone());
        }
        self.beginnings.push(&rule.pattern, self.list.iter().map(|rule| rule.pattern.as_str()));
        self.list.push(rule);
    }

    /// The rules in order.
    pub fn iter(&self) -> std::slice::Iter<'_, PermissionRule> {
        self.list.iter()
    }

    /// The rule with this index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&PermissionRule> {
        self.list.get(index)
    }

    /// The index of the last rule whose permission and pattern both match. A rule may give either name of a
    /// built-in tool that has two ([`other_name`]).
    #[must_use]
    pub fn last(&self, permission: &str, pattern: &str) -> Option<usize> {
        let named = |own: &String| Named::of(permission, own);
        let named: Vec<Named> = self.permissions.iter().map(named).collect();
        self.beginnings.last(pattern, |index| {
            let named = self.of.get(index).and_then(|of| named.get(*of));
            let covers = |rule: &PermissionRule| {
                named.is_some_and(|named| named.holds(rule.permit))
                    && matches(pattern, &rule.pattern, false)
            };
            self.list.get(index).is_some_and(covers)
        })
    }

    /// The same for a text in which a NUL stands for what is not known: the last rule that surely matches, or
    /// that does not allow and may match. Where the rule's first word does not fit, it does not match.
    #[must_use]
    pub fn last_open(&self, permission: &str, pattern: &str) -> Option<usize> {
        self.list.iter().rposition(|rule| {
            if !rule.names(permission) {
                return false;
            }
            let is_sure = matches(pattern, &rule.pattern, false);
            if rule.permit == Permit::Allow {
                return is_sure && !rule.pattern.contains('?');
            }
            is_sure || fits(pattern, &rule.pattern)
        })
    }

    /// Whether a tool is off: the last rule that names its permission denies everything (pattern `*`).
    /// Tools that change files have the permission `edit`.
    #[must_use]
    pub fn is_off(&self, tool: &str) -> bool {
        let permission = permission_of(tool);
        let last = self.list.iter().rfind(|rule| rule.names(permission));
        last.is_some_and(|rule| rule.pattern == "*" && rule.permit == Permit::Deny)
    }
}

/// Whether a text of which some is not known may match a wildcard, its first word for sure.
fn fits(text: &str, wildcard: &str) -> bool {
    let Some((first, _)) = wildcard.split_once(' ') else { return false };
    let name = text.split(' ').next().unwrap_or_default();
    !name.contains('\0') && matches(name, first, false) && may_match(text, wildcard)
}

/// How the wildcard of a rule names a permission.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    No,
    /// By a wildcard that fits only the name which the tool has elsewhere. Whoever wrote `s*` may not have meant
    /// `shell`: such a rule does not allow.
    ByOtherName,
    Yes,
}

impl Named {
    fn of(permission: &str, wildcard: &str) -> Named {
        if matches(permission, wildcard, false) {
            return Named::Yes;
        }
        match other_name(permission) {
            Some(other) if !matches(other, wildcard, false) => Named::No,
            Some(other) if other == wildcard || !is_renamed(other) => Named::Yes,
            Some(_) => Named::ByOtherName,
            None => Named::No,
        }
    }

    fn holds(self, permit: Permit) -> bool {
        self == Named::Yes || (self == Named::ByOtherName && permit != Permit::Allow)
    }
}

impl PermissionRule {
    /// Whether the rule is for a permission.
    pub(crate) fn names(&self, permission: &str) -> bool {
        Named::of(permission, &self.permission).holds(self.permit)
    }
}

/// The tools that have another word for a name in OpenCode 2.
const RENAMED: [[&str; 2]; 2] = [["bash", "shell"], ["task", "subagent"]];

fn is_renamed(name: &str) -> bool {
    RENAMED.iter().flatten().any(|own| *own == name)
}

/// The second name of a built-in tool: `web-fetch` is `webfetch` in OpenCode, `bash` is `shell` in OpenCode 2. A rule
/// that denies one of them would otherwise silently not hold.
#[must_use]
pub fn other_name(permission: &str) -> Option<&'static str> {
    const TWO: [[&str; 2]; 5] = [
        ["web-fetch", "webfetch"],
        ["web-search", "websearch"],
        ["code-search", "codesearch"],
        ["todo-write", "todowrite"],
        ["todo-read", "todoread"],
    ];
    TWO.iter().chain(&RENAMED).find_map(|[a, b]| match permission {
        permission if permission == *a => Some(*b),
        permission if permission == *b => Some(*a),
        _ => None,
    })
}

/// The permission by which a tool is judged.
#[must_use]
pub fn permission_of(tool: &str) -> &str {
    match tool {
        "write" | "apply_patch" | "patch" => "edit",
        _ => tool,
    }
}

/// A configured pattern with the home directory in place of `~` or `$HOME` at its front.
#[must_use]
pub fn expand_home(pattern: &str, home: &str) -> String {
    for name in ["~", "$HOME"] {
        if let Some(rest) = pattern.strip_prefix(name)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return format!("{}{rest}", home.trim_end_matches('/'));
        }
    }
    pattern.to_owned()
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::{Permit, Rules, expand_home, matches};
    use proptest::prelude::*;

    #[test]
    fn the_last_rule_that_matches_decides() {
        let rules = Rules::new([
            ("*", "*", Permit::Allow),
            ("read", "*.env", Permit::Deny),
            ("read", "*.env.example", Permit::Allow),
        ]);
        assert_eq!(rules.last("read", ".env"), Some(1));
        assert_eq!(rules.last("read", ".env.example"), Some(2));
        assert_eq!(rules.last("edit", ".env"), Some(0));
    }

    #[test]
    fn a_tool_is_off_when_the_last_rule_that_names_it_denies_all() {
        let rules = Rules::new([("*", "*", Permit::Deny), ("read", "*", Permit::Allow)]);
        assert!(rules.is_off("bash") && rules.is_off("write") && !rules.is_off("read"));
        let rules = Rules::new([("edit", "*", Permit::Deny), ("bash", "rm *", Permit::Deny)]);
        assert!(rules.is_off("write") && rules.is_off("apply_patch") && rules.is_off("edit"));
        assert!(!rules.is_off("bash"));
        let rules = Rules::new([("edit", "*", Permit::Deny), ("edit", "docs/*", Permit::Allow)]);
        assert!(!rules.is_off("edit"));
    }

    #[test]
    fn a_rule_may_give_either_name_of_a_built_in_tool() {
        for [rule, asked] in [["web-fetch", "webfetch"], ["todowrite", "todo-write"]] {
            let rules = Rules::new([("*", "*", Permit::Allow), (rule, "*", Permit::Deny)]);
            assert_eq!(rules.last(asked, "x"), Some(1));
            assert!(rules.is_off(asked) && rules.is_off(rule));
        }
        assert_eq!(Rules::new([("web-fetch", "*", Permit::Deny)]).last("web", "x"), None);
    }

    #[test]
    fn a_rule_may_give_the_name_of_opencode_2() {
        for [rule, asked] in
            [["shell", "bash"], ["bash", "shell"], ["subagent", "task"], ["task", "subagent"]]
        {
            for permit in [Permit::Allow, Permit::Deny, Permit::Ask] {
                let rules = Rules::new([("*", "*", Permit::Ask), (rule, "*", permit)]);
                assert_eq!(rules.last(asked, "x"), Some(1), "{rule} {asked}");
                assert_eq!(rules.last_open(asked, "x"), Some(1), "{rule} {asked}");
                assert_eq!(rules.is_off(asked), permit == Permit::Deny);
            }
        }
        let rules = Rules::new([("edit", "*", Permit::Deny)]);
        assert!(rules.is_off("patch") && rules.is_off("write"));
    }

    #[test]
    fn a_wildcard_for_the_other_name_never_allows() {
        let last = |permit| {
            let rules = Rules::new([("*", "*", Permit::Ask), ("s*", "*", permit)]);
            assert_eq!(rules.last("skill", "x"), Some(1));
            rules.last("bash", "x")
        };
        assert_eq!(last(Permit::Deny), Some(1));
        assert_eq!(last(Permit::Ask), Some(1));
        assert_eq!(last(Permit::Allow), Some(0));
    }

    #[test]
    fn only_a_whole_name_at_the_front_is_the_home_directory() {
        let of = |pattern| expand_home(pattern, "/home/me");
        assert_eq!(of("~"), "/home/me");
        assert_eq!(of("~/x/*"), "/home/me/x/*");
        assert_eq!(of("$HOME/x"), "/home/me/x");
        assert_eq!(of("$HOME"), "/home/me");
        assert_eq!(of("$HOMEx"), "$HOMEx");
        assert_eq!(of("~other/x"), "~other/x");
        assert_eq!(of("x/~"), "x/~");
        assert_eq!(expand_home("~/x", "/"), "/x");
    }

    #[test]
    fn a_rule_may_match_what_is_not_known() {
        let rules = Rules::new([
            ("bash", "*", Permit::Allow),
            ("bash", "rm -rf *", Permit::Deny),
            ("bash", "git* --force *", Permit::Ask),
        ]);
        let last = |text| rules.last_open("bash", text);
        assert_eq!(last("rm \0 x"), Some(1));
        assert_eq!(last("rm -r\0"), Some(1));
        assert_eq!(last("git push \0"), Some(2));
        assert_eq!(last("rm \0"), Some(1));
        assert_eq!(last("rm -r x"), Some(0));
        assert_eq!(last("echo \0"), Some(0));
        assert_eq!(last("\0 -rf x"), Some(0));
        let rules =
            Rules::new([("bash", "rm -rf *", Permit::Deny), ("bash", "rm *", Permit::Allow)]);
        assert_eq!(rules.last_open("bash", "rm \0"), Some(1));
    }

    proptest! {
        #[test]
        fn later_rules_cover_earlier_ones(
            rules in proptest::collection::vec(("[ab*]{1,3}", "[xy*?]{1,3}", 0..3usize), 0..12),
            permission in "[ab]{1,2}",
            pattern in "[xy]{1,2}",
        ) {
            let permits = [Permit::Allow, Permit::Deny, Permit::Ask];
            let all = Rules::new(rules.iter().map(|(p, t, i)| (p.as_str(), t.as_str(), permits[*i])));
            let mut decided = None;
            for (index, (p, t, _)) in rules.iter().enumerate() {
                let one = Rules::new([(p.as_str(), t.as_str(), Permit::Ask)]);
                if one.last(&permission, &pattern).is_some() {
                    decided = Some(index);
                }
            }
            prop_assert_eq!(all.last(&permission, &pattern), decided);
        }

        #[test]
        fn the_rules_that_are_tried_by_their_beginnings_are_those_that_match(
            patterns in proptest::collection::vec("(git|[ab]{0,3}|[a]{30,34})[ /\\\\]?[ab*?é /]{0,4}( \\*)?", 0..80),
            text in "(git|[ab]{0,3}|[a]{30,34})[ /\\\\]?[abé /]{0,4}",
        ) {
            let rules = Rules::new(patterns.iter().map(|pattern| ("bash", pattern.as_str(), Permit::Ask)));
            let decided = patterns.iter().rposition(|pattern| matches(&text, pattern, false));
            prop_assert_eq!(rules.last("bash", &text), decided);
        }
    }
}
