//! What rules and approvals say of a request: the decision of a permission gate.
//!
//! Rules are given as rulesets laid end to end; the last rule that matches decides. An approval turns a question into
//! an allowance, and never a denial.

use super::open_target::{open_target, permit_of_open};
use super::permission::{PermissionRule, Permit, Rules};
use super::shell::{
    Environment, ShellCommand, denied_texts, is_over, is_steered, open_candidates, shell_commands,
    silent_texts, without_harmless,
};
use super::wildcard::matches;

const BASH: &str = "bash";

/// Where a rule is: the index of its ruleset, and its own there. Those of later rulesets come after all of earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RulePlace {
    /// The index of the ruleset.
    pub ruleset: usize,
    /// The index of the rule in it.
    pub rule: usize,
}

/// What decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// This rule, as it stands.
    Rule(RulePlace),
    /// This rule, which may match what is not known: it asks, whatever it says.
    MayMatch(RulePlace),
    /// No rule: it is asked.
    NoRule,
    /// Nothing of this text asks.
    Nothing(String),
}

/// How the permission rules judge a bash command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellVerdict {
    /// The strictest of all its commands.
    pub permit: Permit,
    /// What decides.
    pub reason: Reason,
    /// Something runs that cannot be known, or the text could not be parsed.
    pub opaque: bool,
    /// The commands that are not allowed, each once, and what asks about each.
    pub asked: Vec<(String, Reason)>,
    /// The command that is denied.
    pub denied: Option<String>,
}

/// What holds for the patterns of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The rules deny the pattern with this index.
    Denied(usize),
    /// The rules deny this command of the whole text.
    CommandDenied(String),
    /// The patterns with these indexes need a reply; none if all are allowed.
    Asked(Vec<usize>),
    /// The whole text needs a reply, but none of its patterns.
    WholeAsked,
}

/// The rules and approvals that hold for a request.
///
/// ```
/// use apex_parts_shell::decision::{Decision, Permissions};
/// use apex_parts_shell::permission::{Permit, Rules};
///
/// let rules = Rules::new([("bash", "git *", Permit::Allow), ("bash", "git push *", Permit::Deny)]);
/// let rulesets = [&rules];
/// let permissions = Permissions::new(&rulesets, &[]);
/// let patterns = ["git status".to_owned(), "ls".to_owned()];
/// assert_eq!(permissions.decide("bash", &patterns, None), Decision::Asked(vec![1]));
/// assert_eq!(permissions.decide("bash", &["git push".to_owned()], None), Decision::Denied(0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Permissions<'a> {
    rulesets: &'a [&'a Rules],
    /// The permission and the pattern of each approval.
    approved: &'a [(String, String)],
    environment: Option<&'a Environment>,
}

/// What rules say of the spellings of a command.
enum Spelled {
    /// This one denies it.
    Denied(RulePlace),
    /// What asks about it, if anything does.
    Asked(Option<Reason>),
}

impl<'a> Permissions<'a> {
    /// Rulesets, of which later ones win, and approvals as permission and pattern.
    #[must_use]
    pub const fn new(
        rulesets: &'a [&'a Rules],
        approved: &'a [(String, String)],
    ) -> Permissions<'a> {
        Permissions { rulesets, approved, environment: None }
    }

    /// The same for a shell that has the variables of this environment: a variable that only the text itself reads is
    /// set without being asked.
    ///
    /// ```
    /// use apex_parts_shell::decision::Permissions;
    /// use apex_parts_shell::permission::{Permit, Rules};
    /// use apex_parts_shell::shell::Environment;
    ///
    /// let rules = Rules::new([("bash", "echo *", Permit::Allow)]);
    /// let (rulesets, environment) = ([&rules], Environment::new());
    /// let permissions = Permissions::new(&rulesets, &[]);
    /// assert_eq!(permissions.shell("x=5; echo $x").permit, Permit::Ask);
    /// let permissions = permissions.within(&environment);
    /// assert_eq!(permissions.shell("x=5; echo $x").permit, Permit::Allow);
    /// ```
    #[must_use]
    pub const fn within(self, environment: &'a Environment) -> Permissions<'a> {
        Permissions { environment: Some(environment), ..self }
    }

    /// The last rule whose permission and pattern match.
    #[must_use]
    pub fn last(&self, permission: &str, pattern: &str) -> Option<RulePlace> {
        self.find_last(&|rules| rules.last(permission, pattern))
    }

    /// Judges the patterns of a request by the rules. `whole` is the bash command line whose commands they are: it also
    /// contains what is never asked.
    #[must_use]
    pub fn decide(&self, permission: &str, patterns: &[String], whole: Option<&str>) -> Decision {
        let is_shell = permission == BASH;
        let verdict = whole.filter(|_| is_shell).map(|whole| self.shell(whole));
        if let Some(ShellVerdict { denied: Some(text), .. }) = &verdict {
            return Decision::CommandDenied(text.clone());
        }
        let mut asked = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let permit = match &verdict {
                Some(verdict) if verdict.asks(pattern) => Permit::Ask,
                Some(_) => Permit::Allow,
                None if is_shell => self.shell(pattern).permit,
                None => self.permit_of(permission, pattern),
            };
            match permit {
                Permit::Deny => return Decision::Denied(index),
                Permit::Ask => asked.push(index),
                Permit::Allow => {}
            }
        }
        // What is not known of the whole is not in a pattern.
        let asks_whole = verdict.is_some_and(|verdict| verdict.permit == Permit::Ask);
        if asks_whole && asked.is_empty() && !patterns.is_empty() {
            return Decision::WholeAsked;
        }
        Decision::Asked(asked)
    }

    /// What decides about a bash command line: the last rule that matches it as it stands, if that denies it, and otherwise
    /// what [`Permissions::shell`] gives as its reason.
    #[must_use]
    pub fn reason(&self, text: &str) -> Reason {
        self.denial(text).map_or_else(|| self.shell(text).reason, Reason::Rule)
    }

    /// Judges a bash command line by the rules: each of its commands, in all spellings, and whatever cannot be
    /// determined.
    #[must_use]
    pub fn shell(&self, text: &str) -> ShellVerdict {
        let request = shell_commands(text, self.environment);
        let opaque = request.opaque || is_over(&request);
        let denied = |place, command: &str| ShellVerdict {
            permit: Permit::Deny,
            reason: Reason::Rule(place),
            opaque,
            asked: Vec::new(),
            denied: Some(command.to_owned()),
        };
        let mut spelled = Vec::with_capacity(request.commands.len());
        for command in &request.commands {
            match self.spellings(command) {
                Spelled::Denied(place) => {
                    let own = if command.asked { &command.text } else { text };
                    return denied(place, own);
                }
                Spelled::Asked(reason) => spelled.push(reason),
            }
        }
        // The one command of a text was tried already.
        let is_one = matches!(request.commands.as_slice(), [only] if only.text == text);
        let silent = silent_texts(&request).iter().map(String::as_str);
        for silent in silent.chain((!is_one).then_some(text)) {
            if let Some(place) = self.denial(silent) {
                return denied(place, text);
            }
        }
        if is_over(&request)
            && let Some(place) = self.denial_of_bash()
        {
            return denied(place, text);
        }

        let mut asked: Vec<(String, Reason)> = Vec::new();
        // Nothing runs, as in a comment: what is asked is what the text says.
        if request.commands.is_empty()
            && !opaque
            && let Some(reason) = self.question(text)
        {
            asked.push((text.to_owned(), reason));
        }
        let mut add = |command: &str, reason: Option<Reason>, opaque: bool| {
            let unknown = || (opaque && !self.allows_all_of_bash()).then_some(Reason::NoRule);
            let Some(reason) = reason.or_else(unknown) else { return };
            if asked.iter().all(|(own, _)| own != command) {
                asked.push((command.to_owned(), reason));
            }
        };
        for (command, spelled) in request.commands.iter().zip(spelled) {
            let own = command.asked.then_some(&command.text);
            let own_question = own.and_then(|text| match without_harmless(command) {
                Some(rest) => self.question_of_either(text, rest),
                None => self.question(text),
            });
            let inner = || command.inner.iter().find_map(|text| self.question(text));
            let reason = own_question.or_else(inner);
            add(own.map_or(text, String::as_str), reason.or(spelled), command.opaque);
        }
        if is_steered(&request) {
            add(text, self.question_of_any(), false);
        }
        if opaque {
            add(text, self.question(text).filter(|_| request.opaque), true);
        }

        let (permit, reason) = match asked.first() {
            Some((_, reason)) => (Permit::Ask, reason.clone()),
            None => {
                let own = request.commands.iter().find(|command| command.asked);
                let own = own.map_or(text, |command| &command.text);
                (Permit::Allow, self.allowance(own))
            }
        };
        ShellVerdict { permit, reason, opaque, asked, denied: None }
    }

    /// The rule that allows the first command that is asked; what is never asked needs none.
    fn allowance(&self, text: &str) -> Reason {
        let place =
            self.last(BASH, text).filter(|place| self.permit(Some(*place)) == Permit::Allow);
        place.map_or_else(|| Reason::Nothing(text.to_owned()), Reason::Rule)
    }

    fn rule(&self, place: RulePlace) -> Option<&PermissionRule> {
        self.rulesets.get(place.ruleset)?.get(place.rule)
    }

    /// What the rule says; it is asked where there is none.
    fn permit(&self, place: Option<RulePlace>) -> Permit {
        place.and_then(|place| self.rule(place)).map_or(Permit::Ask, |rule| rule.permit)
    }

    fn permit_of(&self, permission: &str, pattern: &str) -> Permit {
        let (permit, is_fixed) = match open_target(permission, pattern) {
            Some(target) => {
                let rules = self.rulesets.iter().rev().flat_map(|rules| rules.iter().rev());
                permit_of_open(rules, permission, &target)
            }
            None => (self.permit(self.last(permission, pattern)), false),
        };
        match permit {
            // Where a rule denies some of what it may be, no approval counts.
            Permit::Ask if !is_fixed && self.is_approved(permission, pattern) => Permit::Allow,
            permit => permit,
        }
    }

    fn find_last(&self, find: &dyn Fn(&Rules) -> Option<usize>) -> Option<RulePlace> {
        let mut rulesets = self.rulesets.iter().enumerate().rev();
        rulesets.find_map(|(ruleset, rules)| Some(RulePlace { ruleset, rule: find(rules)? }))
    }

    /// The last rule like this that names `bash`.
    fn last_of_bash(&self, is: fn(&PermissionRule) -> bool) -> Option<RulePlace> {
        let covers = |rule: &PermissionRule| is(rule) && rule.names(BASH);
        self.find_last(&|rules| rules.iter().rposition(covers))
    }

    /// The last rule that denies something of `bash`.
    fn denial_of_bash(&self) -> Option<RulePlace> {
        self.last_of_bash(|rule| rule.permit == Permit::Deny)
    }

    /// Whether the pattern `*` allows everything of bash, or all of it is approved, and nothing is denied.
    fn allows_all_of_bash(&self) -> bool {
        let last = self.last_of_bash(|_| true).and_then(|place| self.rule(place));
        let allows = |rule: &PermissionRule| rule.pattern == "*" && rule.permit == Permit::Allow;
        self.denial_of_bash().is_none() && (last.is_some_and(allows) || self.approves_all_of_bash())
    }

    fn approves_all_of_bash(&self) -> bool {
        self.approved.iter().any(|(own, pattern)| own == BASH && pattern == "*")
    }

    fn is_approved(&self, permission: &str, text: &str) -> bool {
        let covers =
            |(own, pattern): &(String, String)| own == permission && matches(text, pattern, false);
        self.approved.iter().any(covers)
    }

    /// The rule that denies a text.
    fn denial(&self, text: &str) -> Option<RulePlace> {
        self.last(BASH, text).filter(|place| self.permit(Some(*place)) == Permit::Deny)
    }

    /// What asks about a text, unless it was approved. What is denied has been refused before.
    fn question(&self, text: &str) -> Option<Reason> {
        self.unless_allowed(self.last(BASH, text), self.is_approved(BASH, text))
    }

    /// The same of a text that has two spellings: the last rule that matches one of them decides.
    fn question_of_either(&self, text: &str, other: &str) -> Option<Reason> {
        let place = self.last(BASH, text).max(self.last(BASH, other));
        let is_approved = self.is_approved(BASH, text) || self.is_approved(BASH, other);
        self.unless_allowed(place, is_approved)
    }

    /// What asks about a text that only a rule for everything allows.
    fn question_of_any(&self) -> Option<Reason> {
        let place = self.last_of_bash(|rule| rule.pattern.bytes().all(|byte| byte == b'*'));
        self.unless_allowed(place, self.approves_all_of_bash())
    }

    /// What the rule there asks.
    fn unless_allowed(&self, place: Option<RulePlace>, is_approved: bool) -> Option<Reason> {
        let asks = self.permit(place) != Permit::Allow && !is_approved;
        asks.then(|| place.map_or(Reason::NoRule, Reason::Rule))
    }

    /// What rules say of the spellings of a command, of which the first is its text.
    fn spellings(&self, command: &ShellCommand) -> Spelled {
        // A rule for the command without its harmless assignments decides like one for its text.
        let mut first = without_harmless(command)
            .map(|rest| self.last(BASH, rest).max(self.last(BASH, &command.text)));
        let mut asking = None;
        for text in denied_texts(command) {
            let place = self.last(BASH, text);
            match (place, self.permit(place)) {
                (Some(place), Permit::Deny) => return Spelled::Denied(place),
                // An earlier rule than that of the text itself is overruled by it.
                (Some(place), Permit::Ask)
                    if first.is_some_and(|first| Some(place) > first)
                        && asking.is_none()
                        && !self.is_approved(BASH, text) =>
                {
                    asking = Some(Reason::Rule(place));
                }
                _ => {}
            }
            first = first.or(Some(place));
        }
        let is_approved = |text: &str| self.is_approved(BASH, text);
        let without = without_harmless(command);
        if !command.asked || is_approved(&command.text) || without.is_some_and(is_approved) {
            return Spelled::Asked(None);
        }
        let open = || first.and_then(|first| self.open_question(command, first));
        Spelled::Asked(asking.or_else(open))
    }

    /// The rule that asks about what a word may be: one behind the rule of the text itself.
    fn open_question(&self, command: &ShellCommand, own: Option<RulePlace>) -> Option<Reason> {
        open_candidates(command).iter().find_map(|text| {
            let place = self.find_last(&|rules| rules.last_open(BASH, text))?;
            let asks = self.permit(Some(place)) != Permit::Allow && Some(place) > own;
            asks.then_some(Reason::MayMatch(place))
        })
    }
}

impl ShellVerdict {
    fn asks(&self, command: &str) -> bool {
        self.asked.iter().any(|(own, _)| own == command)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
