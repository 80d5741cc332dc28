//! Values that are evaluated later: where arithmetic, or a variable's name, is taken from a variable, what it
//! runs is known only if all values are.

use super::bash_tables::NUMBERS;
use super::by_name::ByName;
use super::environment::{is_harmless_word, is_message_setting, is_steering};
use super::letters::{
    add, begins, ends, has_any, is_listed, is_made_of, owned, rest_of, until, up_to,
};
use super::names::{base_name, is_code_variable, is_special, own_words};
use super::operands::is_count;
use super::parser::{AssignedBy, Script, SimpleCommand};
use super::word::{ShellWord, is_identifier, rest_words};
use super::wrapper_table::SHELLS;

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

/// What the text says of a variable.
#[derive(Default)]
pub(super) struct Variable {
    /// What it gets.
    pub(super) values: Vec<Value>,
    /// It may be an array.
    pub(super) is_array: bool,
    is_exported: bool,
}

/// The variables of a text, and of the texts that it runs, whatever the order in which they are set.
#[derive(Default)]
pub(super) struct Variables {
    pub(super) names: ByName<Variable>,
    /// Texts that are evaluated.
    pub(super) evaluated: Vec<String>,
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
            self.array(&assigned.name);
        }
        self.evaluated.extend(script.evaluated.iter().cloned());
        self.is_opaque |= script.is_evaluated;
        self.is_translated |= script.is_translated;
        self.is_steered |= script.named.iter().any(|name| is_steering(name));
        // A coprocess is an array.
        script.named.iter().for_each(|name| self.array(name));
        let is_function = |text: &String| !begins(text, "[(");
        self.is_renamed |= script.silent.iter().any(is_function);
        for command in &script.commands {
            self.command(command);
        }
    }

    /// Does the text export this variable?
    pub(super) fn exports(&self, name: &str) -> bool {
        self.exports_all || self.names.of(name).is_some_and(|name| name.is_exported)
    }

    /// What a variable gets, if it is set.
    pub(super) fn values(&self, name: &str) -> Option<&[Value]> {
        let values = &self.names.of(name)?.values;
        (!values.is_empty()).then_some(values)
    }

    fn array(&mut self, name: &str) {
        self.names.note(name, |name| name.is_array = true);
    }

    /// Gets a variable a value in the text?
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.values(name).is_some()
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
                Value::Text(text) => add(&mut self.evaluated, text),
                _ => self.is_opaque = true,
            }
        }
        self.names.note(name, |name| name.values.push(value));
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
            let is_option = begins(&word.text, "-") && has_any(&word.text, "a");
            word.is("allexport") || is_option
        };
        let sets_modes = || is_listed("set shopt", name) || is_listed(SHELLS, name);
        self.exports_all |= rest.iter().any(is_all) && sets_modes();
    }

    /// `NAME=VALUE`, `NAME[…]=VALUE`.
    fn assignment(&mut self, word: &ShellWord) {
        let at = word.value.unwrap_or_default();
        let name = up_to(&word.text, at);
        let name = name.trim_end_matches('=');
        let is_added = ends(name, "+");
        let name = name.trim_end_matches('+');
        let (name, subscript) = name.split_once('[').unwrap_or((name, ""));
        if !subscript.is_empty() {
            add(&mut self.evaluated, subscript);
            self.array(name);
        }
        if word.is_array {
            self.array(name);
        } else {
            self.put(name, value(word, at).behind(name, is_added));
        }
    }

    /// A builtin that takes names of variables, which may have subscripts, or arithmetic.
    #[inline(never)]
    fn builtin(&mut self, name: &str, words: &[ShellWord]) {
        let options = |letter: char| {
            let is_option = |word: &&ShellWord| begins(&word.text, "-+");
            words.iter().take_while(is_option).any(|word| word.text.contains(letter))
        };
        let is_test = is_listed("test [", name);
        let mut leading = words.iter().take_while(|word| is_test || !word.is_fixed());
        self.is_opaque |= is_listed(BUILTINS, name) && leading.any(may_become_option);
        match name {
            "let" => words.iter().for_each(|word| self.evaluate(word, 0)),
            "declare" | "typeset" | "local" | "export" | "readonly" => {
                // What is written to the one goes to the other.
                self.is_opaque |= options('n') && !is_listed("export readonly", name);
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
                for word in words.iter().filter(|word| !begins(&word.text, "-+")) {
                    let (name, has_value) = word
                        .text
                        .split_once('=')
                        .map_or((word.text.as_str(), false), |(name, _)| (name, true));
                    let name = until(name.trim_end_matches('+'), "[");
                    let is_free = is_export && is_harmless_word(word);
                    self.is_steered |= (has_value || may_empty) && !is_free && is_steering(name);
                    if is_export {
                        self.exports_all |= word.may_be_several();
                        self.names.note(name, |name| name.is_exported = true);
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
                    self.named(word, 0, is_set);
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
                    words.get(at).into_iter().for_each(|name| self.named(name, 0, true));
                    at += 1;
                }
                Some(name) => {
                    self.named(word, word.text.len() - name.len(), true);
                }
                // It may be nothing, or the option.
                None if word.splits || word.is("--") => {}
                None if is_open => {
                    words.get(at).into_iter().for_each(|name| self.named(name, 0, true));
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
                true => is_listed("-v -R", text),
                false => begins(text, "-") && has_any(text, "p"),
            };
            let is_open = word.unknown && !self.is_plain(word);
            // Several words, of which one may be the option and one the name.
            self.is_opaque |= is_open && word.splits && is_test;
            if !(may_be_option || is_open) {
                continue;
            }
            // `-pNAME`
            if may_be_option && text.get(2..).is_some_and(|joined| !joined.is_empty()) {
                self.named(word, 2, !is_test);
            }
            for next in rest_words(words, at + 1) {
                if may_be_option || (!is_test && is_identifier(&next.text)) {
                    self.named(next, 0, !is_test);
                } else if next.expands || has_any(&next.text, "[") {
                    self.evaluate(next, 0);
                }
                // It may be nothing: then the next word is the name.
                if !next.splits {
                    break;
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
        self.values(name).map_or(name == "HOME", |values| {
            values.iter().all(|value| {
                matches!(value, Value::Text(text) if !begins(text, "-") && is_made_of(text, "_./:-"))
            })
        })
    }

    /// Values of the text only, none of which is an option.
    fn is_plain(&self, word: &ShellWord) -> bool {
        let Some(name) = word.variable.as_ref().filter(|_| word.bare.is_empty()) else {
            return false;
        };
        let values = self.values(name).unwrap_or_default();
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

    /// A word that is a name from this offset on.
    fn named(&mut self, word: &ShellWord, at: usize, is_set: bool) {
        let text = rest_of(&word.text, at);
        if begins(text, "-") && !word.expands {
            return;
        }
        // A name that is not known may be one whose value runs.
        self.is_opaque |= is_set && word.expands;
        if may_have_subscript(word, text) {
            self.evaluate(word, at);
        }
        let name = until(text, "[");
        if is_set && is_identifier(name) {
            self.set(name, Value::Unknown);
            self.array(name);
        }
    }

    /// A word of `declare` and the like.
    fn declare(&mut self, word: &ShellWord, is_number: bool, is_array: bool) {
        if begins(&word.text, "-+") && !word.expands {
            return;
        }
        let (name, behind) = word.text.split_once('=').unwrap_or((&word.text, ""));
        let has_value = name.len() < word.text.len();
        // It may be an option, or any name.
        self.is_opaque |= word.expands && has_any(name, "$`");
        let is_added = ends(name, "+");
        let name = name.trim_end_matches('+');
        let plain = until(name, "[");
        if may_have_subscript(word, &word.text) && (!is_identifier(plain) || has_any(name, "[")) {
            add(&mut self.evaluated, name);
        }
        let at = word.text.len() - behind.len();
        if word.value.is_none() && has_value {
            self.put(plain, value(word, at).behind(plain, is_added));
        }
        if has_value && !word.is_array {
            self.declared.push((owned(plain), value(word, at)));
        }
        if is_array {
            self.array(plain);
        }
        if is_number {
            add(&mut self.evaluated, plain);
        }
    }

    fn evaluate(&mut self, word: &ShellWord, at: usize) {
        match value(word, at) {
            Value::Text(text) => self.evaluated.push(text),
            _ => self.is_opaque = true,
        }
    }
}

/// May a glob, or a list in braces, become an option?
fn may_become_option(word: &ShellWord) -> bool {
    let is_list = word.braces && ["{-", ",-"].iter().any(|start| word.text.contains(start));
    let is_glob = word.wild.is_some() && begins(&word.text, "-*?[");
    !word.expands && (is_list || (is_glob && word.text != "[" && !has_any(&word.text, ".")))
}

/// May a text of a word be a name with a subscript? Other texts are no names.
fn may_have_subscript(word: &ShellWord, text: &str) -> bool {
    word.expands || word.braces || word.wild.is_some() || has_any(text, "[")
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
        return Value::Text(owned("$(wc -l)"));
    }
    text.map_or(Value::Unknown, |text| Value::Text(owned(text)))
}
