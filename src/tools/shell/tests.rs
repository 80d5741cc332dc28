use super::*;

#[test]
fn show() {
    let Ok(path) = std::env::var("SCRIPTS") else { return };
    let all = std::fs::read_to_string(path).unwrap();
    let mut out = String::new();
    for line in all.split('\u{1}') {
        let r = shell_request(line, "/home/dev/demo", "/home/dev", &mut |p| {
            p.starts_with("/home/dev/demo")
        });
        let denied =
            r.commands.iter().flat_map(deny_candidates).any(|c| c == "rm" || c.starts_with("rm "));
        out.push(if denied {
            'D'
        } else if r.opaque {
            'O'
        } else {
            '-'
        });
    }
    std::fs::write("/tmp/verdicts", out).unwrap();
}
