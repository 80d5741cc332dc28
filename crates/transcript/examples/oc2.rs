use apex_parts_agents::Env;
use apex_parts_transcript::{Transcript, TranscriptOptions};
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        let mut n = 0;
        let mut new_id = || { n += 1; format!("id{n}") };
        let mut env = Env { now_ms: 0.0, new_id: &mut new_id };
        match Transcript::open(&bytes, TranscriptOptions::default(), &mut env) {
            Err(e) => println!("{{\"error\":{}}}", serde_json::to_string(&format!("{e:?}")).unwrap()),
            Ok(t) => {
                let session = t.session().map(|s| String::from_utf8_lossy(s).into_owned()).unwrap_or("null".into());
                let sessions = t.sessions();
                let id = sessions.first().map(|s| s.id.clone()).unwrap_or_default();
                let ms: Vec<String> = t.messages_of(&id).unwrap().into_iter().map(|m| String::from_utf8(m).unwrap()).collect();
                let problems: Vec<String> = t.problems().iter().map(|p| format!("{}: {}", p.rule, p.message)).collect();
                println!("{}", format!("{{\"format\":{:?},\"session\":{},\"id\":{:?},\"count\":{},\"messages\":[{}],\"problems\":{}}}", t.format().map(|f| f.as_str()).unwrap_or(""), session, id, t.message_count(), ms.join(","), serde_json::to_string(&problems).unwrap()).replace('\n', " "));
            }
        }
    }
}
