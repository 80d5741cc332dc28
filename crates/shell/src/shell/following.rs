//! Values of variables that are followed to the paths they are used in, and only to those.
//!
//! A variable has one of all values that the text gives it, if one of them was surely given before it is used: in the
//! same shell, and not in a branch, a loop or a function that may not have run. All else is not known.

use super::by_name::ByName;
use super::letters::{
    DIGITS, begins, ends, find_any, has_any, is_listed, is_made_of, name_at, name_length, owned,
    rest_of, until, up_to,
};
use super::names::own_words;
use super::operands::is_count;
use super::parser::{AssignedBy, CodePlace, ScopeKind, Script, SimpleCommand};
use super::value_texts::{
    GLOB, NUMBER, arithmetic_length, counted, element, listed_texts, plain_name, text_of, trimmed,
};
use super::word::{ShellWord, is_identifier, rest_words};
use std::cell::Cell;

/// Variables of bash that are numbers.
const NUMBERS: &str = "RANDOM SRANDOM SECONDS LINENO UID EUID PPID BASHPID EPOCHSECONDS";
/// Those that bash sets itself.
const OWN: &str = "_ REPLY MAPFILE OPTARG OPTIND OLDPWD DIRSTACK COPROC HISTCMD GROUPS";
/// Builtins that set variables, or change what others do: as the name of a function they are not these.
const SETTERS: &str = "export declare typeset local readonly unset read mapfile readarray getopts printf wait let \
set shift eval source . cd pushd popd echo dirname pwd alias enable";
/// The most values of a variable, and the most that a word may become.
const MAX_VALUES: usize = 16;
const MAX_DEPTH: usize = 8;
/// The most places at which a variable may lose its value, and functions of one name.
const MAX_LOSSES: usize = 64;
/// The most steps for all words of a script.
const MAX_STEPS: usize = 1 << 20;
/// So many places has each command, for its words.
const PLACES: usize = 1 << 10;

/// A place of the text: commands count by [`PLACES`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Use {
    order: usize,
    scope: usize,
}

impl Use {
    pub(super) fn new(at: usize, scope: usize) -> Use {
        Use { order: at.saturating_mul(PLACES), scope }
    }

    /// The number of its command.
    pub(super) const fn command(self) -> usize {
        self.order / PLACES
    }
}

impl From<CodePlace> for Use {
    fn from(place: CodePlace) -> Use {
        Use::new(place.at, place.scope)
    }
}

/// A value that a variable gets.
struct Given {
    /// A text in which `$` begins an expansion; none if it is not known.
    text: Option<String>,
    /// Where the text is expanded.
    from: Use,
    /// From where on the variable has it.
    at: Use,
    /// It surely gets it there.
    is_sure: bool,
    /// Of several words each is a value.
    splits: bool,
}

/// Where a variable may lose its value.
struct Loss {
    order: usize,
    /// The function in which it does.
    function: usize,
}

/// What is known of a name.
#[derive(Default)]
struct Followed {
    given: Vec<Given>,
    lost: Vec<Loss>,
    /// The scopes of the functions that have it.
    scopes: Vec<usize>,
}

impl Followed {
    /// Gets a variable of this name a value, or does it lose one?
    fn is_set(&self) -> bool {
        !self.given.is_empty() || !self.lost.is_empty()
    }
}

/// What is known of a scope.
#[derive(Clone, Copy)]
struct Around {
    /// Itself, or the one of which it is a part.
    whole: usize,
    parent: usize,
    /// The scope that is the body of its function; 0 for none.
    function: usize,
}

/// The values in a script.
#[derive(Default)]
pub(super) struct Following {
    names: ByName<Followed>,
    around: Vec<Around>,
    /// Nothing can be followed.
    is_lost: bool,
    /// Programs that print may be others.
    is_renamed: bool,
    steps: Cell<usize>,
}

/// Directories that variables of bash name.
pub(super) struct Surroundings<'a> {
    pub(super) home: &'a str,
    /// Those in which the command may run; none if they are not known.
    pub(super) here: Option<&'a [String]>,
}

impl Following {
    /// Of a script, without the texts that it runs.
    pub(super) fn new(script: &Script, is_lost: bool, is_renamed: bool) -> Following {
        let mut following = Following { is_lost, is_renamed, ..Following::default() };
        following.scopes(script);
        for assigned in &script.assigned {
            let at = Use::from(assigned.place);
            let mut name = assigned.name.clone();
            let is_list = matches!(assigned.by, AssignedBy::Loop | AssignedBy::Choice);
            let texts = listed_texts(&assigned.value, is_list);
            match assigned.by {
                AssignedBy::Choice => following.give(&name, Some(String::new()), at, at, true),
                AssignedBy::Element(None) => following.lose(&name, at.order, usize::MAX),
                AssignedBy::Element(Some(number)) => {
                    for text in &texts {
                        following.give(&[&name, "[@]"].concat(), text.clone(), at, at, true);
                    }
                    if number > 0 {
                        name = element(&name, number);
                    }
                }
                AssignedBy::Default | AssignedBy::Loop | AssignedBy::Counter => {}
            }
            for text in texts {
                let is_counter = assigned.by == AssignedBy::Counter;
                let text = if is_counter { Some(owned(NUMBER)) } else { text };
                following.give(&name, text, at, at, assigned.by != AssignedBy::Default);
            }
            let splits = is_list && assigned.value.splits;
            following.names.note(&name, |name| {
                name.given.last_mut().into_iter().for_each(|last| last.splits = splits);
            });
        }
        for text in &script.evaluated {
            match counted(text) {
                Some(names) => {
                    for name in names.iter() {
                        let nowhere = Use { order: usize::MAX, scope: usize::MAX };
                        following.give(name, Some(owned(NUMBER)), nowhere, nowhere, false);
                    }
                }
                None => following.is_lost = true,
            }
        }
        for name in &script.named {
            following.lose(name, usize::MAX, usize::MAX);
        }
        for (at, command) in script.commands.iter().enumerate() {
            following.command(at, command);
        }
        following
    }

    fn scopes(&mut self, script: &Script) {
        self.around.push(Around { whole: 0, parent: usize::MAX, function: 0 });
        for (at, scope) in script.scopes.iter().enumerate() {
            let number = at + 1;
            let outer = self.around.get(scope.parent).copied();
            let parent = outer.map_or(usize::MAX, |outer| outer.whole);
            let whole = if scope.kind == ScopeKind::Open { parent } else { number };
            let mut function = outer.map_or(0, |outer| outer.function);
            if let Some(name) = &scope.function {
                function = number;
                self.names.note(name, |name| name.scopes.push(number));
                self.is_lost |= is_listed(SETTERS, name);
            }
            self.around.push(Around { whole, parent, function });
        }
    }

    fn function(&self, scope: usize) -> usize {
        self.around.get(scope).map_or(usize::MAX, |around| around.function)
    }

    fn give(&mut self, name: &str, text: Option<String>, from: Use, at: Use, is_sure: bool) {
        let given = Given { text, from, at, is_sure, splits: false };
        self.names.note(name, |name| name.given.push(given));
    }

    fn lose(&mut self, name: &str, order: usize, function: usize) {
        self.names.note(name, |name| name.lost.push(Loss { order, function }));
    }

    fn is_set(&self, name: &str) -> bool {
        self.names.of(name).is_some_and(Followed::is_set)
    }

    fn lost(&self, name: &str) -> &[Loss] {
        self.names.of(name).map_or(&[], |name| &name.lost)
    }

    /// Adds a text that may run here.
    pub(super) fn inner(&mut self, inner: &Script) {
        let own = inner.commands.iter().map(own_words).filter_map(<[ShellWord]>::first);
        for name in own {
            self.is_lost |= name.is("set shift");
            if self.names.of(&name.text).is_some_and(|name| !name.scopes.is_empty()) {
                self.lose("@", usize::MAX, usize::MAX);
            }
        }
        let inner = Following::new(inner, false, false);
        self.is_lost |= inner.is_lost;
        for name in inner.names.names.iter() {
            if inner.is_set(name) {
                self.lose(name, usize::MAX, usize::MAX);
            }
        }
    }

    #[inline(never)]
    fn command(&mut self, at: usize, command: &SimpleCommand) {
        let own = own_words(command);
        let before = command.words.get(..command.words.len() - own.len()).unwrap_or_default();
        let is_first = |name: &str| before.first().is_some_and(|word| word.text == name);
        let is_pure = own.is_empty() && !is_first("time") && !is_first("coproc");
        let here = Use::new(at, command.scope);
        let behind = Use::new(command.end, command.scope);
        for (number, word) in before.iter().enumerate().filter(|(_, word)| word.is_assignment()) {
            // Those of one command are set one after the other.
            let number = number.min(PLACES - 2);
            let from = Use { order: here.order + number, ..here };
            let one_by_one = Use { order: from.order + 1, ..here };
            let at = if command.end == at + 1 { one_by_one } else { behind };
            self.assignment(word, from, at, is_pure);
        }
        let Some((name, rest)) = own.split_first() else { return };
        let is_sure = !is_first("coproc");
        let function = self.function(command.scope);
        match name.text.as_str() {
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                self.declare(&name.text, rest, here, behind, is_sure);
            }
            "unset" => rest.iter().for_each(|word| match plain_name(word) {
                Some(name) => self.lose(name, behind.order, function),
                None => {
                    self.is_lost |= word.expands;
                    self.names(std::slice::from_ref(word));
                }
            }),
            "read" => self.read(rest, command, here, behind, is_sure),
            "printf" => self.printf(rest, here, behind, is_sure),
            "mapfile" | "readarray" | "getopts" | "wait" | "let" => self.names(rest),
            "set" => self.set(rest, here, behind),
            "shift" => self.lose("@", behind.order, function),
            // They may set anything.
            "." | "source" => self.lose("*", behind.order, function),
            "alias" | "enable" => self.is_lost = true,
            name => {
                if let Some(scopes) = self.names.of(name).map(|name| name.scopes.clone()) {
                    self.is_lost |= scopes.len() > MAX_LOSSES;
                    for scope in scopes.into_iter().take(MAX_LOSSES) {
                        self.arguments(rest, here, Use { order: 0, scope });
                    }
                }
            }
        }
    }

    /// `NAME=VALUE`
    fn assignment(&mut self, word: &ShellWord, from: Use, at: Use, is_sure: bool) {
        let place = word.value.unwrap_or_default();
        let name = up_to(&word.text, place.saturating_sub(1));
        if is_identifier(name) {
            if !word.is_array {
                self.give(name, text_of(word, place), from, at, is_sure);
            }
            return;
        }
        // `NAME+=`, `NAME[…]=`
        let plain = name_at(name);
        if name.len() == plain.len() + 1 && !word.is_array {
            let text = text_of(word, place).map(|text| ["${", plain, "}", &text].concat());
            return self.give(plain, text, from, at, false);
        }
        self.lose(plain, usize::MAX, usize::MAX);
    }

    /// The words of `export` and the like.
    fn declare(&mut self, builtin: &str, words: &[ShellWord], from: Use, at: Use, is_sure: bool) {
        let (mut is_odd, function) = (false, self.function(at.scope));
        for word in words {
            let text = word.text.as_str();
            if let Some(flags) = text.strip_prefix(['-', '+']) {
                // A name that stands for another.
                self.is_lost |= word.expands || (has_any(flags, "n") && builtin != "export");
                is_odd |= !is_made_of(flags, "-") || has_any(flags, "ilucfFptIn");
                continue;
            }
            let name = name_at(text);
            self.is_lost |= word.expands && !is_identifier(name);
            if is_odd {
                self.lose(name, usize::MAX, usize::MAX);
            } else if word.is_assignment() {
                self.assignment(word, from, at, is_sure);
            } else if !is_listed("export readonly", builtin) {
                self.lose(name, from.order, function);
            } else if name.len() < text.len() {
                self.lose(name, usize::MAX, usize::MAX);
            }
        }
    }

    /// Names that get what is not known.
    fn names(&mut self, words: &[ShellWord]) {
        for word in words {
            // Also in `-aNAME` and in a subscript's.
            let text = word.text.trim_start_matches('-');
            for name in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
                // Letters of options may stand before a name.
                for at in 0..name.len().min(8) {
                    self.lose(rest_of(name, at), usize::MAX, usize::MAX);
                }
            }
        }
    }

    /// `read NAME <<< TEXT`
    fn read(
        &mut self,
        words: &[ShellWord],
        command: &SimpleCommand,
        from: Use,
        at: Use,
        is_sure: bool,
    ) {
        let words = if words.first().is_some_and(|word| word.is("-r")) {
            rest_words(words, 1)
        } else {
            words
        };
        let mut inputs = command.redirects.iter().filter(|redirect| begins(&redirect.op, "<"));
        if let ([word], Some(input), None) = (words, inputs.next(), inputs.next())
            && let (Some(name), "<<<") = (plain_name(word), input.op.as_str())
            && let Some(text) = text_of(&input.target, 0)
            && !has_any(&text, " \t\n\\")
            && input.target.value.is_none()
        {
            return self.give(name, Some(text), from, at, is_sure);
        }
        self.names(words);
    }

    /// `printf -v NAME TEXT`, `printf -v NAME %s TEXT`
    fn printf(&mut self, words: &[ShellWord], from: Use, at: Use, is_sure: bool) {
        let is_option = |word: &ShellWord| word.text.starts_with("-v") || word.expands;
        if !words.first().is_some_and(is_option) {
            return;
        }
        if let [option, word, format, rest @ ..] = words
            && option.is("-v")
            && let Some(name) = plain_name(word)
        {
            let text = match rest {
                [] if !has_any(&format.text, "%\\") => text_of(format, 0),
                [text] if format.is("%s") && !text.may_be_several() => text_of(text, 0),
                _ => None,
            };
            return self.give(name, text, from, at, is_sure);
        }
        self.names(words.get(..2).unwrap_or(words));
    }

    /// `set -- ARGUMENTS`
    fn set(&mut self, words: &[ShellWord], from: Use, at: Use) {
        match words.split_first() {
            Some((first, rest)) if first.is("--") => self.arguments(rest, from, at),
            Some((first, _))
                if begins(&first.text, "-+") && first.is_fixed() && words.len() == 1 => {}
            // `-o NAME`
            Some((first, [name]))
                if ends(&first.text, "o") && begins(&first.text, "-+") && name.is_fixed() => {}
            Some(_) => self.lose("@", usize::MAX, usize::MAX),
            None => {}
        }
    }

    /// The arguments of a function or of the shell.
    fn arguments(&mut self, words: &[ShellWord], from: Use, at: Use) {
        let mut is_known = true;
        for number in 0..9 {
            let word = words.get(number);
            is_known &= word.is_none_or(|word| !word.may_be_several());
            let text = word.map_or(Some(String::new()), |word| text_of(word, 0));
            let text = text.filter(|_| is_known);
            if word.is_some() {
                self.give("@", text.clone(), from, at, true);
            }
            self.give(&(number + 1).to_string(), text, from, at, true);
        }
        if words.len() > 9 {
            self.give("@", None, from, at, true);
        }
    }

    /// Does one scope surely run within the other, behind its beginning?
    fn is_within(&self, mut scope: usize, outer: usize) -> bool {
        let Some(outer) = self.around.get(outer).map(|around| around.whole) else { return false };
        while let Some(around) = self.around.get(scope) {
            self.steps.set(self.steps.get() + 1);
            if around.whole == outer {
                return true;
            }
            scope = if around.whole == scope { around.parent } else { around.whole };
        }
        false
    }

    /// The texts that a variable may have at a place.
    fn values(
        &self,
        name: &str,
        at: Use,
        depth: usize,
        around: &Surroundings,
    ) -> Option<Vec<String>> {
        let function = self.function(at.scope);
        let is_argument = name == "@" || begins(name, DIGITS);
        let all = &self.names.of(name).filter(|name| !name.given.is_empty())?.given;
        self.steps.set(self.steps.get() + all.len());
        // The arguments of another function are others.
        let given =
            || all.iter().filter(|given| !is_argument || self.function(given.at.scope) == function);
        let base = until(name, "[");
        let base = if is_argument { "@" } else { base };
        let losses = || [base, "*"].into_iter().flat_map(|name| self.lost(name));
        let lasts = |given: &Given| {
            let own = self.function(given.at.scope);
            losses().all(|loss| match loss.function {
                0 => given.at.order > loss.order || own > 0 && loss.order < usize::MAX,
                function => function == own && given.at.order > loss.order,
            })
        };
        let is_sure = given().any(|given| {
            given.is_sure
                && given.at.order <= at.order
                && lasts(given)
                && self.is_within(at.scope, given.at.scope)
        });
        if !is_sure || given().count() > MAX_VALUES || losses().count() > MAX_LOSSES {
            return None;
        }
        let mut values = Vec::new();
        for given in given() {
            let texts = self.texts(given.text.as_ref()?, given.from, depth + 1, around)?;
            for text in texts {
                if given.splits && has_any(&text, " \t\n") {
                    self.splits_as_usual(&text).then_some(())?;
                    values.extend(text.split_ascii_whitespace().map(owned));
                } else {
                    values.push(text);
                }
            }
        }
        (values.len() <= MAX_VALUES).then_some(values)
    }

    /// Is a text split at blanks only?
    pub(super) fn splits_as_usual(&self, text: &str) -> bool {
        let is_other = |given: &Given| {
            given.text.as_ref().is_none_or(|own| has_any(own, "$") || has_any(text, own))
        };
        self.lost("IFS").is_empty()
            && !self.names.of("IFS").is_some_and(|name| name.given.iter().any(is_other))
    }

    /// The texts that a word may become at a place, each as it stands but for [`NUMBER`] and [`GLOB`]; none if that is
    /// not known.
    pub(super) fn expanded(
        &self,
        word: &ShellWord,
        at: Use,
        around: &Surroundings,
    ) -> Option<Vec<String>> {
        if self.is_lost || has_any(&word.bare, "$`") || word.braces || has_any(&word.text, GLOB) {
            return None;
        }
        let texts = self.texts(&word.text, at, 0, around)?;
        let is_split = word.splits && !texts.iter().all(|text| self.splits_as_usual(text));
        (!is_split).then_some(texts)
    }

    fn texts(
        &self,
        text: &str,
        at: Use,
        depth: usize,
        around: &Surroundings,
    ) -> Option<Vec<String>> {
        self.steps.set(self.steps.get() + 1 + text.len() / 64);
        if depth > MAX_DEPTH || self.steps.get() > MAX_STEPS {
            return None;
        }
        let mut done = vec![String::new()];
        let mut rest = text;
        while let Some(place) = find_any(rest, "$`") {
            let (before, behind) = rest.split_at(place);
            let (values, length) = self.expansion(behind, at, depth, around)?;
            rest = behind.get(length..)?;
            // Of a list each is a word of its own.
            let is_list = behind.get(..length).is_some_and(|taken| has_any(taken, "@"));
            if (is_list && length < text.len()) || done.len() * values.len() > MAX_VALUES {
                return None;
            }
            let mut next = Vec::new();
            for done in &done {
                for value in &values {
                    let text = [done, before, value].concat();
                    self.steps.set(self.steps.get() + 1 + text.len() / 64);
                    next.push(text);
                }
            }
            done = next;
        }
        done.iter_mut().for_each(|text| text.push_str(rest));
        Some(done)
    }

    /// The values of what a `$` begins, and its length.
    fn expansion(
        &self,
        text: &str,
        at: Use,
        depth: usize,
        around: &Surroundings,
    ) -> Option<(Vec<String>, usize)> {
        let number = || vec![owned(NUMBER)];
        let rest = text.strip_prefix('$')?;
        if rest.starts_with("((") {
            return Some((number(), arithmetic_length(rest)? + 1));
        }
        if let Some(inner) = rest.strip_prefix('(') {
            let inner = inner.get(..inner.find(')')?)?;
            return Some((self.printed(inner, at, depth, around)?, inner.len() + 3));
        }
        if begins(rest, "#?$!") {
            return Some((number(), 2));
        }
        if let Some(name) = rest.get(..1).filter(|name| is_listed("1 2 3 4 5 6 7 8 9 @", name)) {
            return Some((self.values(name, at, depth, around)?, 2));
        }
        let Some(inner) = rest.strip_prefix('{') else {
            let name = rest.get(..name_length(rest))?;
            return Some((self.named(name, at, depth, around)?, name.len() + 1));
        };
        let inner = inner.get(..inner.find('}')?)?;
        let length = inner.len() + 3;
        if let Some(counted) = inner.strip_prefix('#') {
            return (is_made_of(counted, "_") || is_listed("@ *", counted))
                .then(|| (number(), length));
        }
        let name = inner.get(..name_length(inner))?;
        let mut operator = inner.get(name.len()..)?;
        let mut name = owned(name);
        if let Some((subscript, behind)) =
            operator.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        {
            operator = behind;
            match subscript {
                "@" => name.push_str("[@]"),
                "0" => {}
                _ => {
                    // Another array may be shorter.
                    let is_one = self.names.of(&name).is_some_and(|name| name.given.len() == 1);
                    name = element(&name, subscript.parse().ok().filter(|_| is_one)?);
                }
            }
        }
        let mut values = self.named(&name, at, depth, around)?;
        for value in &mut values {
            *value = trimmed(value, operator)?;
        }
        Some((values, length))
    }

    /// The values of a variable, those of bash included.
    fn named(
        &self,
        name: &str,
        at: Use,
        depth: usize,
        around: &Surroundings,
    ) -> Option<Vec<String>> {
        let is_set = self.is_set(name);
        match name {
            "PWD" if !is_set => Some(around.here?.to_vec()),
            "HOME" if !is_set => Some(vec![owned(around.home)]),
            _ if is_listed(NUMBERS, name) && !is_set => Some(vec![owned(NUMBER)]),
            _ if is_listed(OWN, name) || is_listed(NUMBERS, name) => None,
            _ if name == "PWD" || name.starts_with("BASH") || name.starts_with("COMP_") => None,
            _ => self.values(name, at, depth, around),
        }
    }

    /// What commands print, if that is known.
    fn printed(
        &self,
        text: &str,
        at: Use,
        depth: usize,
        around: &Surroundings,
    ) -> Option<Vec<String>> {
        if self.is_renamed || has_any(text, "\n") {
            return None;
        }
        let is_number =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let mut words = text.split_ascii_whitespace();
        let command = words.next()?;
        let first = words.next();
        if is_count(text)
            || (command == "seq" && first.is_some_and(is_number) && is_made_of(text, " $_-.{}\""))
        {
            return Some(vec![owned(NUMBER)]);
        }
        if command == "pwd" && first.is_none() {
            return Some(around.here?.to_vec());
        }
        let word = first.filter(|_| words.next().is_none())?;
        let (inner, is_quoted) =
            match word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
                Some(inner) => (inner, true),
                None => (word, false),
            };
        if begins(inner, "-~") || !is_made_of(inner, "_./:=,+@%-${}") {
            return None;
        }
        let mut texts = self.texts(inner, at, depth + 1, around)?;
        let is_plain = |text: &String| {
            !has_any(text, GLOB)
                && !begins(text, "-")
                && (is_quoted || !has_any(text, " \t\n*?[\\"))
        };
        if !texts.iter().all(is_plain) {
            return None;
        }
        if command == "dirname" {
            for text in &mut texts {
                *text = owned(match text.trim_end_matches('/').rsplit_once('/') {
                    Some((folder, _)) if !folder.is_empty() => folder,
                    _ if begins(text, "/") => "/",
                    _ => ".",
                });
            }
        }
        is_listed("echo dirname", command).then_some(texts)
    }
}
