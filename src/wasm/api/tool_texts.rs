//! The rules of tools that both modules have: that of the parts for the registry and the permissions, that of
//! the built-in tools for themselves. Not part of the API, as all names that begin with `tools` or `Tools`.

use crate::wasm::host::{set, strings};
use apex_parts_model::invisible::{Controls, VisibleText};
use apex_parts_shell::permission::other_name;
use apex_parts_shell::shell::{shell_request, shell_request_in};
use apex_parts_tools::names;
use apex_parts_tools::truncate::{Direction, FullOutput, truncate, truncation_note};
use wasm_bindgen::prelude::*;

/// The indexes of the nearest names.
#[wasm_bindgen(js_name = toolsNearest, skip_typescript)]
#[must_use]
#[allow(clippy::needless_pass_by_value)] // as wasm-bindgen gives it
pub fn tools_nearest(wanted: &str, names: Vec<String>, most: usize) -> Vec<usize> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    names::nearest(wanted, &names, most)
}

/// The second name of the permission of a built-in tool, if it has one: rules may give either.
#[wasm_bindgen(js_name = toolsOtherName, skip_typescript)]
#[must_use]
pub fn tools_other_name(permission: &str) -> Option<String> {
    other_name(permission).map(str::to_owned)
}

/// What is kept of a text, and the numbers of lines and bytes left out, as a list; `undefined` if all of it is
/// kept.
#[wasm_bindgen(js_name = toolsTruncate, skip_typescript)]
#[must_use]
#[allow(clippy::cast_precision_loss)] // no text has 2^53 bytes
pub fn tools_truncate(text: &str, lines: usize, bytes: usize, is_tail: bool) -> JsValue {
    let direction = if is_tail { Direction::Tail } else { Direction::Head };
    let kept = truncate(text, lines, bytes, direction);
    if !kept.truncated {
        return JsValue::UNDEFINED;
    }
    let numbers = [kept.omitted_lines, kept.omitted_bytes].map(|n| JsValue::from_f64(n as f64));
    std::iter::once(JsValue::from_str(kept.kept)).chain(numbers).collect::<js_sys::Array>().into()
}

/// What is seen of a text, and how many characters and sequences are not, as a list; `undefined` if all of it is.
#[wasm_bindgen(js_name = toolsVisible, skip_typescript)]
#[must_use]
#[allow(clippy::cast_precision_loss)] // no text has 2^53 characters
pub fn tools_visible(text: &str) -> JsValue {
    let seen = VisibleText::new(text, Controls::Keep);
    if seen.removed() == 0 {
        return JsValue::UNDEFINED;
    }
    let removed = JsValue::from_f64(seen.removed() as f64);
    js_sys::Array::of2(&JsValue::from_str(&seen.text), &removed).into()
}

/// The line feeds among bytes.
#[wasm_bindgen(js_name = toolsLineFeeds, skip_typescript)]
#[must_use]
pub fn tools_line_feeds(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

/// The sentence for what is left out; `path` is "" if the whole was not saved.
#[wasm_bindgen(js_name = toolsNote, skip_typescript)]
#[must_use]
pub fn tools_note(lines: usize, bytes: usize, path: &str, is_cut: bool) -> String {
    let full = match path {
        "" => FullOutput::Nowhere,
        path if is_cut => FullOutput::First64MiB(path),
        path => FullOutput::Whole(path),
    };
    truncation_note(lines, bytes, full)
}

/// What a bash command line asks for, as `Permission.ShellRequest`, and what the bash tool needs: `writes`, `globs`,
/// `fileGlobs`, `climbs`, `reads`, `walks`, and for each command whether it is `opaque`. `is_inside(path)` says whether
/// a path is inside; if it throws, the path is not. `environment` has the names of the shell's variables, if they are
/// known.
#[wasm_bindgen(js_name = toolsShell, skip_typescript)]
#[must_use]
pub fn tools_shell(
    command: &str,
    cwd: &str,
    home: &str,
    is_inside: &js_sys::Function,
    environment: &JsValue,
) -> JsValue {
    let mut inside = |path: &str| {
        let answer = is_inside.call1(&JsValue::NULL, &path.into());
        answer.is_ok_and(|answer| answer.is_truthy())
    };
    let request = match environment.dyn_ref::<js_sys::Array>() {
        Some(names) => {
            let names = names.iter().filter_map(|name| name.as_string()).collect();
            shell_request_in(command, &names, cwd, home, &mut inside)
        }
        None => shell_request(command, cwd, home, &mut inside),
    };
    let object = js_sys::Object::new();
    for (name, texts) in [
        ("patterns", &request.patterns),
        ("always", &request.always),
        ("dirs", &request.dirs),
        ("writes", &request.writes),
        ("globs", &request.globs),
        ("fileGlobs", &request.file_globs),
        ("climbs", &request.climbs),
        ("reads", &request.reads),
        ("walks", &request.walks),
    ] {
        set(&object, name, &strings(texts));
    }
    set(&object, "opaque", &request.opaque.into());
    let commands = request.commands.iter().map(|command| {
        let object = js_sys::Object::new();
        set(&object, "text", &command.text.as_str().into());
        if let Some(name) = &command.name {
            set(&object, "name", &name.as_str().into());
        }
        let word = |word: &Option<String>| word.as_deref().map_or(JsValue::NULL, JsValue::from_str);
        let words = command.words.iter().map(word).collect::<js_sys::Array>();
        set(&object, "words", &words.into());
        set(&object, "inner", &strings(&command.inner));
        let redirects = command.redirects.iter().map(|redirect| {
            let object = js_sys::Object::new();
            set(&object, "op", &redirect.op.as_str().into());
            set(&object, "target", &word(&redirect.target));
            JsValue::from(object)
        });
        set(&object, "redirects", &redirects.collect::<js_sys::Array>().into());
        set(&object, "opaque", &(command.opaque && command.asked).into());
        JsValue::from(object)
    });
    set(&object, "commands", &commands.collect::<js_sys::Array>().into());
    object.into()
}
