//! What takes the place of messages before it.

use super::*;

#[test]
fn checkpoints_stay_and_updates_are_none() {
    let user = |id: &str, at: u32| record(id, at, "user", &json!(id));
    let set = |messages: Value| json!({"$set": {"messages": messages}});
    let made = lines(&[
        header(),
        user("u1", 1),
        user("u2", 2),
        // Nothing is gone: an update.
        set(json!([user("u1", 1), record("u2", 2, "user", &json!("changed")), user("u3", 3)])),
        set(json!([user("s1", 4), user("u3", 3)])),
        user("u4", 5),
        set(json!([user("s2", 6)])),
        user("u5", 7),
    ]);
    let shown = |session: usize| -> Vec<String> {
        let all = messages(&made.sessions[session]);
        let text = |part: &Value| part["text"].as_str().unwrap_or("|").to_owned();
        all.as_array().unwrap().iter().map(|m| text(&m["parts"][0])).collect()
    };
    assert_eq!(shown(0), ["|", "|", "s2", "u5"]);
    assert_eq!(shown(1), ["u1", "changed"]);
    assert_eq!(shown(2), ["s1", "u3", "u4"]);
    let ids: Vec<&str> = made.sessions.iter().map(|session| session.id.as_str()).collect();
    assert_eq!(ids, ["S", "S/branch-1", "S/branch-2"]);
    assert_valid(&made, Ids::OpenCode);
}
