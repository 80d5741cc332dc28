//! What runs when values are evaluated.

use super::bash_tables::ARRAYS;
use super::by_name::Names;
use super::letters::is_listed;
use super::names::{is_of_system, is_special};
use super::operands::operands;
use super::values::{Value, Variables};

impl Variables {
    /// May an evaluated value run something?
    pub(super) fn may_run(&self) -> bool {
        let mut texts: Vec<_> = self.evaluated.iter().map(|text| (text.as_str(), false)).collect();
        for (name, value) in &self.declared {
            let is_array = self.names.of(name).is_some_and(|name| name.is_array);
            if !is_array && !is_listed(ARRAYS, name) {
                continue;
            }
            match value {
                Value::Text(text) => texts.push((text, false)),
                _ => return true,
            }
        }
        let is_message = self.is_translated && self.sets_messages;
        self.is_opaque || is_message || !self.are_safe(texts)
    }

    /// Runs nothing when these texts, in which `$` begins an expansion, are evaluated? With each goes whether it is
    /// put together.
    fn are_safe<'t>(&'t self, mut open: Vec<(&'t str, bool)>) -> bool {
        let mut seen = Names::default();
        while let Some((text, is_part)) = open.pop() {
            let text = text.replace("\\\n", "");
            let Some(operands) = operands(&text) else { return false };
            for operand in operands {
                let is_joined = is_part || operand.is_joined;
                // It may be any name, or no number.
                if (is_joined && operand.has_letters) || (operand.is_counted && self.is_renamed) {
                    return false;
                }
                for name in operand.names {
                    // A name has no blank.
                    if !seen.add(&[name, if is_joined { " " } else { "" }].concat()) {
                        continue;
                    }
                    let Some(values) = self.values(name).filter(|_| !is_special(name)) else {
                        if is_special(name) || (is_of_system(name) && self.has_code()) {
                            return false;
                        }
                        continue;
                    };
                    for value in values {
                        match value {
                            Value::Text(text) => open.push((text, is_joined)),
                            _ => return false,
                        }
                    }
                }
            }
        }
        true
    }

    /// Is there a variable that runs something where it is evaluated, or that is not known?
    fn has_code(&self) -> bool {
        let is_code = |value: &Value| match value {
            Value::Text(text) => operands(text).is_none(),
            _ => true,
        };
        self.names.records.iter().any(|name| name.values.iter().any(is_code))
    }
}
