//! Targets of which only the beginning is known: a file whose name is the value of a variable.

use super::permission::{PermissionRule, Permit};
use super::wildcard::{matches, may_match};

/// The target that a pattern stands for, with a NUL for what is not known; none if all of it is known.
pub(crate) fn open_target(permission: &str, pattern: &str) -> Option<String> {
    let known = pattern.strip_suffix('*')?;
    let is_open = permission == "edit" || (permission == "external_directory" && known.is_empty());
    is_open.then(|| [known, "\0"].concat())
}

/// What rules, of which the last is given first, say of such a target: what all say that may decide about it, or that
/// it is asked where they do not agree. Also whether any of them denies.
pub(crate) fn permit_of_open<'r>(
    rules: impl Iterator<Item = &'r PermissionRule>,
    permission: &str,
    target: &str,
) -> (Permit, bool) {
    let (mut allows, mut denies, mut asks) = (false, false, false);
    let mut is_decided = false;
    for rule in rules {
        let pattern = rule.pattern.as_str();
        if !may_match(target, pattern) || !rule.names(permission) {
            continue;
        }
        match rule.permit {
            Permit::Allow => allows = true,
            Permit::Deny => denies = true,
            Permit::Ask => asks = true,
        }
        // It matches whatever the rest is: those before it say nothing.
        is_decided =
            pattern.ends_with('*') && !pattern.contains('?') && matches(target, pattern, false);
        if is_decided {
            break;
        }
    }
    let permit = match (allows, denies) {
        _ if asks || !is_decided || allows == denies => Permit::Ask,
        (true, _) => Permit::Allow,
        _ => Permit::Deny,
    };
    (permit, denies)
}
