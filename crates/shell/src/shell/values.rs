//! Values that are evaluated later: where arithmetic, or a variable's name, is taken from a variable, what it
//! runs is known only if all values are.

use super::bash_tables::NUMBERS;
use super::environment::{is_harmless_word, is_message_setting, is_steering};
use super::letters::{has_any, is_listed, is_made_of};
use super::names::{base_name, is_code_variable, is_special, own_words};
use super::operands::is_count;
use super::parser::{AssignedBy, Script, SimpleCommand};
use super::word::{ShellWord, is_identifier};
use super::wrapper_table::SHELLS;
use std::collections::{BTreeMap, BTreeSet};

/// Builtins with options that take a name.
const BUILTINS: &str =
    "test [ declare typeset local export readonly unset read mapfile readarray getopts printf wait";

/// What a variable gets.
#[derive(Debug, PartialEq)]
pub(super) enum Value {
    /// A text in which `$` begins an expansion.
    Text(String),
    /// What this glob finds.
    Files(String),
    Unknown,
}

impl Value {
    /// What it is behind the value that the variable has.
    fn behind(self, name: &str, is_added: bool) -> Value {
        match self {
            Value::Text(text) if is_added => Value::Text(["${", name, "}", &text].concat()),
            value => value,
        }
    }
}

/// The variables of a text, and of the texts that it runs, whatever the order in which they are set.
#[derive(Default)]
pub(super) struct Variables {
    /// What each gets.
    pub(super) values: BTreeMap<String, Vec<Value>>,
    /// Texts that are evaluated.
    pub(super) evaluated: Vec<String>,
    /// Names of what may be an array.
    pub(super) arrays: BTreeSet<String>,
    /// What `declare` gives variables: of an array, a text in parentheses is read as its elements.
    pub(super) declared: Vec<(String, Value)>,
    /// Something is evaluated that is not known.
    pub(super) is_opaque: bool,
    /// A program's name may mean something else: there are functions, aliases, another `PATH`.
    pub(super) is_renamed: bool,
    /// Texts are translated: `$"…"`.
    pub(super) is_translated: bool,
    /// What finds translations is set.
    pub(super) sets_messages: bool,
    /// A variable that decides what programs run is set or removed, other than by an assignment before a name.
    pub(super) is_steered: bool,
    /// What the text exports.
    exported: BTreeSet<String>,
    /// It exports all that it sets.
    exports_all: bool,
}

impl Variables {
    /// Adds those of a script.
    pub(super) fn add(&mut self, script: &Script) {
        for assigned in &script.assigned {
            let is_element = matches!(assigned.by, AssignedBy::Element(_));
            self.is_steered |= !is_element && is_steering(&assigned.name);
            self.put(&assigned.name, value(&assigned.value, 0));
            self.arrays.insert(assigned.name.clone());
        }
        self.evaluated.extend(script.evaluated.iter().cloned());
        self.is_opaque |= script.is_evaluated;
        self.is_translated |= script.is_translated;
        self.is_steered |= script.named.iter().any(|name| is_steering(name));
        // A coprocess is an array.
        self.arrays.extend(script.named.iter().cloned());
        let is_function = |text: &String| !text.starts_with(['[', '(']);
        self.is_renamed |= script.silent.iter().any(is_function);
        for command in &script.commands {
            self.command(command);
        }
    }

    /// Does the text export this variable?
    pub(super) fn exports(&self, name: &str) -> bool {
        self.exports_all || self.exported.contains(name)
    }

    /// Gets a variable a value in the text?
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    fn set(&mut self, name: &str, value: Value) {
        self.is_steered |= is_steering(name);
        self.put(name, value);
    }

    fn put(&mut self, name: &str, value: Value) {
        let is_code = match &value {
            Value::Text(text) => is_code_variable(name, text),
            _ => is_code_variable(name, "$()"),
        };
        self.is_opaque |= is_code;
        self.is_renamed |= name == "PATH";
        self.sets_messages |= is_message_setting(name);
        if is_listed(NUMBERS, name) {
            // Bash evaluates what it gets.
            match &value {
                Value::Text(text) => self.evaluated.push(text.clone()),
                _ => self.is_opaque = true,
            }
        }
        self.values.entry(name.to_owned()).or_default().push(value);
    }

    fn command(&mut self, command: &SimpleCommand) {
        for word in command.words.iter().filter(|word| word.is_assignment()) {
            self.assignment(word);
        }
        // Another program may set it for a shell.
        let mut names = command.words.iter().filter_map(|word| word.text.split_once('='));
        self.sets_messages |= names.any(|(name, _)| is_message_setting(name));
        let Some((name, rest)) = own_words(command).split_first() else { return };
        let name = base_name(&name.text);
        self.builtin(name, rest);
        let is_all = |word: &ShellWord| {
            let is_option = word.text.starts_with('-') && has_any(&word.text, "a");
            word.text == "allexport" || is_option
        };
        let sets_modes = || matches!(name, "set" | "shopt") || is_listed(SHELLS, name);
        self.exports_all |= rest.iter().any(is_all) && sets_modes();
    }

    /// `NAME=VALUE`, `NAME[…]=VALUE`.
    fn assignment(&mut self, word: &ShellWord) {
        let at = word.value.unwrap_or_default();
        let name = word.text.get(..at).unwrap_or_default();
        let name = name.trim_end_matches('=');
        let is_added = name.ends_with('+');
        let name = name.trim_end_matches('+');
        let (name, subscript) = name.split_once('[').unwrap_or((name, ""));
        if !subscript.is_empty() {
            self.evaluated.push(subscript.to_owned());
            self.arrays.insert(name.to_owned());
        }
        if word.is_array {
            self.arrays.insert(name.to_owned());
        } else {
            self.put(name, value(word, at).behind(name, is_added));
        }
    }

    /// A builtin that takes names of variables, which may have subscripts, or arithmetic.
    fn builtin(&mut self, name: &str, words: &[ShellWord]) {
        let options = |letter: char| {
            let is_option = |word: &&ShellWord| word.text.starts_with(['-', '+']);
            words.iter().take_while(is_option).any(|word| word.text.contains(letter))
        };
        let is_test = matches!(name, "test" | "[");
        let mut leading = words.iter().take_while(|word| is_test || !word.is_fixed());
        self.is_opaque |= is_listed(BUILTINS, name) && leading.any(may_become_option);
        match name {
            "let" => words.iter().for_each(|word| self.evaluate(word)),
            "declare" | "typeset" | "local" | "export" | "readonly" => {
                // What is written to the one goes to the other.
                self.is_opaque |= options('n') && !matches!(name, "export" | "readonly");
                let (is_number, is_array) = (options('i'), options('a') || options('A'));
                let is_export = name == "export" || options('x');
                for word in words {
                    self.declare(word, is_number, is_array);
                }
                // What only prints, or only marks, changes no value.
                let is_listing = options('p') || options('f') || options('F');
                let may_empty = match name {
                    "export" => options('n'),
                    "readonly" => false,
                    _ => !is_listing,
                };
                for word in words.iter().filter(|word| !word.text.starts_with(['-', '+'])) {
                    let (name, has_value) = word
                        .text
                        .split_once('=')
                        .map_or((word.text.as_str(), false), |(name, _)| (name, true));
                    let name = name.trim_end_matches('+').split('[').next().unwrap_or_default();
                    let is_free = is_export && is_harmless_word(word);
                    self.is_steered |= (has_value || may_empty) && !is_free && is_steering(name);
                    if is_export {
                        self.exports_all |= word.may_be_several();
                        self.exported.insert(name.to_owned());
                    }
                }
            }
            "unset" | "read" | "mapfile" | "readarray" | "getopts" => {
                let at = usize::from(name == "getopts");
                let most = if name == "getopts" { 1 } else { words.len() };
                let may_shift = words.iter().take(2).any(|word| word.splits);
                self.is_opaque |= name == "getopts" && may_shift;
                let is_set = name != "unset";
                self.is_steered |= !is_set && words.iter().any(|word| is_steering(&word.text));
                for joined in words.iter().filter(|_| name == "read").filter_map(joined_name) {
                    self.set(joined, Value::Unknown);
                }
                for word in words.iter().skip(at).take(most) {
                    self.named(word, is_set);
                }
            }
            "printf" => self.printed(words),
            "." | "source" | "alias" | "hash" | "enable" => self.is_renamed = true,
            "wait" => self.tested(words, false),
            "test" | "[" => self.tested(words, true),
            _ => {}
        }
    }

    /// `printf -v NAME`, also where a variable may be the option.
    fn printed(&mut self, words: &[ShellWord]) {
        let mut at = 0;
        while let Some(word) = words.get(at) {
            at += 1;
            let joined = word.text.strip_prefix("-v");
            let is_open = word.unknown && !self.is_plain(word);
            self.is_opaque |= is_open && word.splits;
            match joined {
                Some("") => {
                    words.get(at).into_iter().for_each(|name| self.named(name, true));
                    at += 1;
                }
                Some(name) => {
                    let name = ShellWord { text: name.to_owned(), ..word.clone() };
                    self.named(&name, true);
                }
                // It may be nothing, or the option.
                None if word.splits || word.text == "--" => {}
                None if is_open => {
                    words.get(at).into_iter().for_each(|name| self.named(name, true));
                    at += 1;
                }
                None => return,
            }
        }
    }

    /// An option that takes a name: `-v NAME`, also where a variable may be the option.
    fn tested(&mut self, words: &[ShellWord], is_test: bool) {
        for (at, word) in words.iter().enumerate() {
            let text = word.text.as_str();
            let may_be_option = match is_test {
                true => matches!(text, "-v" | "-R"),
                false => text.starts_with('-') && text.contains('p'),
            };
            let is_open = word.unknown && !self.is_plain(word);
            // Several words, of which one may be the option and one the name.
            self.is_opaque |= is_open && word.splits && is_test;
            if !(may_be_option || is_open) {
                continue;
            }
            // `-pNAME`
            let joined = text.get(2..).filter(|joined| may_be_option && !joined.is_empty());
            if let Some(name) = joined {
                let name = ShellWord { text: name.to_owned(), ..word.clone() };
                self.named(&name, !is_test);
            }
            if let Some(next) = words.get(at + 1) {
                if may_be_option || (!is_test && is_identifier(&next.text)) {
                    self.named(next, !is_test);
                } else if next.expands || next.text.contains('[') {
                    self.evaluate(next);
                }
            }
        }
    }

    /// Is it a variable that the text gives values, each one plain word that is no option?
    pub(super) fn is_literal(&self, word: &ShellWord) -> bool {
        let Some(name) = word.variable.as_ref().filter(|_| word.bare.is_empty()) else {
            return false;
        };
        // The home directory is no option.
        self.values.get(name).map_or(name == "HOME", |values| {
            values.iter().all(|value| {
                matches!(value, Value::Text(text) if !text.starts_with('-') && is_made_of(text, "_./:-"))
            })
        })
    }

    /// Values of the text only, none of which is an option.
    fn is_plain(&self, word: &ShellWord) -> bool {
        let Some(name) = word.variable.as_ref().filter(|_| word.bare.is_empty()) else {
            return false;
        };
        let values = self.values.get(name).map_or(&[][..], Vec::as_slice);
        !is_special(name)
            && values
                .iter()
                .all(|value| matches!(value, Value::Text(text) if !has_any(text, "-$[") || self.is_number(text)))
    }

    /// Is it what a program prints that prints numbers only?
    fn is_number(&self, text: &str) -> bool {
        let inner = text.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')'));
        !self.is_renamed && inner.is_some_and(is_count)
    }

    fn named(&mut self, word: &ShellWord, is_set: bool) {
        if word.text.starts_with('-') && !word.expands {
            return;
        }
        // A name that is not known may be one whose value runs.
        self.is_opaque |= is_set && word.expands;
        if may_have_subscript(word) {
            self.evaluate(word);
        }
        let name = word.text.split('[').next().unwrap_or_default();
        if is_set && is_identifier(name) {
            self.set(name, Value::Unknown);
            self.arrays.insert(name.to_owned());
        }
    }

    /// A word of `declare` and the like.
    fn declare(&mut self, word: &ShellWord, is_number: bool, is_array: bool) {
        if word.text.starts_with(['-', '+']) && !word.expands {
            return;
        }
        let (name, behind) = word.text.split_once('=').unwrap_or((&word.text, ""));
        let has_value = name.len() < word.text.len();
        // It may be an option, or any name.
        self.is_opaque |= word.expands && has_any(name, "$`");
        let is_added = name.ends_with('+');
        let name = name.trim_end_matches('+');
        let plain = name.split('[').next().unwrap_or_default();
        if may_have_subscript(word) && (!is_identifier(plain) || name.contains('[')) {
            self.evaluated.push(name.to_owned());
        }
        let at = word.text.len() - behind.len();
        if word.value.is_none() && has_value {
            self.put(plain, value(word, at).behind(plain, is_added));
        }
        if has_value && !word.is_array {
            self.declared.push((plain.to_owned(), value(word, at)));
        }
        if is_array {
            self.arrays.insert(plain.to_owned());
        }
        if is_number {
            self.evaluated.push(plain.to_owned());
        }
    }

    fn evaluate(&mut self, word: &ShellWord) {
        match value(word, 0) {
            Value::Text(text) => self.evaluated.push(text),
            _ => self.is_opaque = true,
        }
    }
}

/// May a glob, or a list in braces, become an option?
fn may_become_option(word: &ShellWord) -> bool {
    let is_list = word.braces && ["{-", ",-"].iter().any(|start| word.text.contains(start));
    let is_glob = word.wild.is_some() && word.text.starts_with(['-', '*', '?', '[']);
    !word.expands && (is_list || (is_glob && word.text != "[" && !word.text.contains('.')))
}

/// May it be a name with a subscript? Other words are no names.
fn may_have_subscript(word: &ShellWord) -> bool {
    word.expands || word.braces || word.wild.is_some() || word.text.contains('[')
}

/// The name in `-aNAME`.
fn joined_name(word: &ShellWord) -> Option<&str> {
    let (_, name) = word.text.strip_prefix('-')?.split_once('a')?;
    is_identifier(name).then_some(name)
}

/// The value of a word from this offset on.
fn value(word: &ShellWord, at: usize) -> Value {
    // A sign that stands for itself may be the beginning of code.
    let is_code = has_any(&word.bare, "$`") || (!word.expands && has_any(&word.text, "$`"));
    if is_code {
        return Value::Unknown;
    }
    if word.wild.is_some() && !word.braces && word.value.is_none() {
        return Value::Files(word.text.clone());
    }
    let text = word.text.get(at..);
    // Quotes in what is counted would be taken for more than they are.
    let counted = text.and_then(|text| text.strip_prefix("$(")?.strip_suffix(')'));
    if word.expansions == 1 && counted.is_some_and(is_count) {
        return Value::Text("$(wc -l)".to_owned());
    }
    text.map_or(Value::Unknown, |text| Value::Text(text.to_owned()))
}
