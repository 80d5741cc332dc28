//! Values of variables that are followed to the paths they are used in, and only to those.
//!
//! A variable has one of all values that the text gives it, if one of them was surely given before it is used: in the
//! same shell, and not in a branch, a loop or a function that may not have run. All else is not known.

use super::letters::{has_any, is_listed, is_made_of, name_length};
use super::names::own_words;
use super::operands::is_count;
use super::parser::{AssignedBy, CodePlace, ScopeKind, Script, SimpleCommand};
use super::value_texts::{
    GLOB, NUMBER, arithmetic_length, counted, element, listed_texts, plain_name, text_of, trimmed,
};
use super::word::{ShellWord, is_identifier};
use std::cell::Cell;
use std::collections::BTreeMap;

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
    given: BTreeMap<String, Vec<Given>>,
    lost: BTreeMap<String, Vec<Loss>>,
    around: Vec<Around>,
    functions: BTreeMap<String, Vec<usize>>,
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
    /// Of a script; `inner` are the texts that it runs.
    pub(super) fn new(
        script: &Script,
        inner: &[&Script],
        is_lost: bool,
        is_renamed: bool,
    ) -> Following {
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
                let text = if is_counter { Some(NUMBER.to_string()) } else { text };
                following.give(&name, text, at, at, assigned.by != AssignedBy::Default);
            }
            if let Some(last) = following.given.get_mut(&name).and_then(|given| given.last_mut()) {
                last.splits = is_list && assigned.value.splits;
            }
        }
        let names: Vec<_> = script.evaluated.iter().map(|text| counted(text)).collect();
        for name in names {
            match name {
                Some(names) => {
                    for name in names {
                        let nowhere = Use { order: usize::MAX, scope: usize::MAX };
                        following.give(&name, Some(NUMBER.to_string()), nowhere, nowhere, false);
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
        // What a text sets that may run here.
        for inner in inner {
            following.inner(inner);
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
                self.functions.entry(name.clone()).or_default().push(number);
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
        self.given.entry(name.to_owned()).or_default().push(given);
    }

    fn lose(&mut self, name: &str, order: usize, function: usize) {
        self.lost.entry(name.to_owned()).or_default().push(Loss { order, function });
    }

    fn inner(&mut self, inner: &Script) {
        let own = inner.commands.iter().map(own_words).filter_map(<[ShellWord]>::first);
        for name in own {
            self.is_lost |= is_listed("set shift", &name.text);
            if self.functions.contains_key(&name.text) {
                self.lose("@", usize::MAX, usize::MAX);
            }
        }
        let inner = Following::new(inner, &[], false, false);
        self.is_lost |= inner.is_lost;
        for name in inner.given.keys().chain(inner.lost.keys()) {
            self.lose(name, usize::MAX, usize::MAX);
        }
    }

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
                if let Some(scopes) = self.functions.get(name).cloned() {
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
        let name = word.text.get(..place.saturating_sub(1)).unwrap_or_default();
        if is_identifier(name) {
            if !word.is_array {
                self.give(name, text_of(word, place), from, at, is_sure);
            }
            return;
        }
        // `NAME+=`, `NAME[…]=`
        let plain = name.get(..name_length(name)).unwrap_or_default();
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
                self.is_lost |= word.expands || (flags.contains('n') && builtin != "export");
                is_odd |= !is_made_of(flags, "-") || has_any(flags, "ilucfFptIn");
                continue;
            }
            let name = text.get(..name_length(text)).unwrap_or_default();
            self.is_lost |= word.expands && !is_identifier(name);
            if is_odd {
                self.lose(name, usize::MAX, usize::MAX);
            } else if word.is_assignment() {
                self.assignment(word, from, at, is_sure);
            } else if !matches!(builtin, "export" | "readonly") {
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
                    self.lose(name.get(at..).unwrap_or_default(), usize::MAX, usize::MAX);
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
        let words = if words.first().is_some_and(|word| word.text == "-r") {
            words.get(1..).unwrap_or_default()
        } else {
            words
        };
        let input = command
            .redirects
            .iter()
            .filter(|redirect| redirect.op.starts_with('<'))
            .collect::<Vec<_>>();
        if let ([word], [input]) = (words, input.as_slice())
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
            && option.text == "-v"
            && let Some(name) = plain_name(word)
        {
            let text = match rest {
                [] if !has_any(&format.text, "%\\") => text_of(format, 0),
                [text] if format.text == "%s" && !text.may_be_several() => text_of(text, 0),
                _ => None,
            };
            return self.give(name, text, from, at, is_sure);
        }
        self.names(words.get(..2).unwrap_or(words));
    }

    /// `set -- ARGUMENTS`
    fn set(&mut self, words: &[ShellWord], from: Use, at: Use) {
        match words.split_first() {
            Some((first, rest)) if first.text == "--" => self.arguments(rest, from, at),
            Some((first, _))
                if first.text.starts_with(['-', '+']) && first.is_fixed() && words.len() == 1 => {}
            // `-o NAME`
            Some((first, [name]))
                if first.text.ends_with('o')
                    && first.text.starts_with(['-', '+'])
                    && name.is_fixed() => {}
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
        let is_argument = name == "@" || name.starts_with(|c: char| c.is_ascii_digit());
        let all = self.given.get(name)?;
        self.steps.set(self.steps.get() + all.len());
        // The arguments of another function are others.
        let given =
            || all.iter().filter(|given| !is_argument || self.function(given.at.scope) == function);
        let base = name.split('[').next().unwrap_or_default();
        let base = if is_argument { "@" } else { base };
        let losses = || [base, "*"].into_iter().filter_map(|name| self.lost.get(name)).flatten();
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
                    values.extend(text.split_ascii_whitespace().map(str::to_owned));
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
            given.text.as_ref().is_none_or(|own| own.contains('$') || has_any(text, own))
        };
        !self.lost.contains_key("IFS") && !self.given.get("IFS").into_iter().flatten().any(is_other)
    }

    /// The texts that a word may become at a place, each as it stands but for [`NUMBER`] and [`GLOB`]; none if that is
    /// not known.
    pub(super) fn expanded(
        &self,
        word: &ShellWord,
        at: Use,
        around: &Surroundings,
    ) -> Option<Vec<String>> {
        if self.is_lost || has_any(&word.bare, "$`") || word.braces || word.text.contains(GLOB) {
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
        while let Some(place) = rest.find(['$', '`']) {
            let (before, behind) = rest.split_at(place);
            let (values, length) = self.expansion(behind, at, depth, around)?;
            rest = behind.get(length..)?;
            // Of a list each is a word of its own.
            let is_list = behind.get(..length).is_some_and(|taken| taken.contains('@'));
            if (is_list && length < text.len()) || done.len() * values.len() > MAX_VALUES {
                return None;
            }
            let joined = |done: &String| {
                values.iter().map(|value| [done, before, value].concat()).collect::<Vec<_>>()
            };
            done = done.iter().flat_map(joined).collect();
            self.steps
                .set(self.steps.get() + done.iter().map(|text| 1 + text.len() / 64).sum::<usize>());
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
        let number = || vec![NUMBER.to_string()];
        let rest = text.strip_prefix('$')?;
        if rest.starts_with("((") {
            return Some((number(), arithmetic_length(rest)? + 1));
        }
        if let Some(inner) = rest.strip_prefix('(') {
            let inner = inner.get(..inner.find(')')?)?;
            return Some((self.printed(inner, at, depth, around)?, inner.len() + 3));
        }
        if rest.starts_with(['#', '?', '$', '!']) {
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
            return (is_made_of(counted, "_") || matches!(counted, "@" | "*"))
                .then(|| (number(), length));
        }
        let name = inner.get(..name_length(inner))?;
        let mut operator = inner.get(name.len()..)?;
        let mut name = name.to_owned();
        if let Some((subscript, behind)) =
            operator.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        {
            operator = behind;
            match subscript {
                "@" => name.push_str("[@]"),
                "0" => {}
                _ => {
                    // Another array may be shorter.
                    let is_one = self.given.get(&name).is_some_and(|given| given.len() == 1);
                    name = element(&name, subscript.parse().ok().filter(|_| is_one)?);
                }
            }
        }
        let values = self.named(&name, at, depth, around)?;
        let values =
            values.iter().map(|value| trimmed(value, operator)).collect::<Option<Vec<_>>>()?;
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
        let is_set = self.given.contains_key(name) || self.lost.contains_key(name);
        match name {
            "PWD" if !is_set => Some(around.here?.to_vec()),
            "HOME" if !is_set => Some(vec![around.home.to_owned()]),
            _ if is_listed(NUMBERS, name) && !is_set => Some(vec![NUMBER.to_string()]),
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
        if self.is_renamed || text.contains('\n') {
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
            return Some(vec![NUMBER.to_string()]);
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
        if inner.starts_with(['-', '~']) || !is_made_of(inner, "_./:=,+@%-${}") {
            return None;
        }
        let texts = self.texts(inner, at, depth + 1, around)?;
        let is_plain = |text: &String| {
            !text.contains(GLOB)
                && !text.starts_with('-')
                && (is_quoted || !has_any(text, " \t\n*?[\\"))
        };
        if !texts.iter().all(is_plain) {
            return None;
        }
        let directory = |text: &String| match text.trim_end_matches('/').rsplit_once('/') {
            Some((folder, _)) if !folder.is_empty() => folder.to_owned(),
            _ if text.starts_with('/') => "/".to_owned(),
            _ => ".".to_owned(),
        };
        match command {
            "echo" => Some(texts),
            "dirname" => Some(texts.iter().map(directory).collect()),
            _ => None,
        }
    }
}
