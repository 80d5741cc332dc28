//! Texts of bash, as permission rules see them.

use apex_parts::tools::shell::{ShellRequest, deny_candidates, shell_request};

/// The most bytes of a result for each byte of the text: nested commands are in the texts of their outer
/// ones, and wrappers are tried with and without themselves, both to a limited depth.
const FACTOR: usize = 400;

/// Any text gives a request; the texts of its commands are pieces of it, it is not much larger than it, the
/// same text gives the same request, and no text asks for nothing.
pub fn shell(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let request = read(&text);
    let mut total = request.dirs.iter().map(String::len).sum::<usize>();
    for command in &request.commands {
        assert!(is_within(&command.text, &text), "{:?} of {text:?}", command.text);
        let candidates = deny_candidates(command);
        assert!(candidates.first().is_none_or(|first| *first == command.text));
        total += candidates.iter().chain(&command.inner).map(String::len).sum::<usize>();
        assert_eq!(command.asked, request.patterns.contains(&command.text), "{text:?}");
    }
    assert!(total <= FACTOR * (text.len() + 100), "{total} bytes of {}", text.len());
    assert!(request.commands.iter().all(|command| !command.opaque) || request.opaque, "{text:?}");
    assert_eq!(request, read(&text), "{text:?}");
}

fn read(text: &str) -> ShellRequest {
    shell_request(text, "/home/dev/demo", "/home/dev", &mut |path| {
        assert!(path.starts_with('/') && !path.contains("/../"), "{path:?}");
        path.starts_with("/home/dev/demo")
    })
}

/// Are the bytes of a piece bytes of the whole, in the same order? (A here-document's body stands apart
/// from its command, and a backslash within backticks is left out.)
fn is_within(piece: &str, whole: &str) -> bool {
    let mut whole = whole.bytes();
    piece.bytes().all(|byte| whole.any(|other| other == byte))
}
