use apex_parts_agents::Env;
use apex_parts_convert::opencode::{MessageSource, OpenCodeOptions, SessionSource, session_of};
use apex_parts_convert::opencode2::OpenCode2Conversion;
use apex_parts_transcript::{Transcript, TranscriptOptions};
use std::borrow::Cow;
struct Texts(Vec<Vec<u8>>);
impl MessageSource for Texts {
    fn count(&self) -> usize { self.0.len() }
    fn json(&self, i: usize) -> Result<Option<Cow<'_, [u8]>>, apex_parts_model::Error> { Ok(self.0.get(i).map(|t| t.as_slice().into())) }
}
fn all(src: &dyn MessageSource, s: &SessionSource<'_>) -> String {
    let mut c = OpenCode2Conversion::new(src, s, &OpenCodeOptions::default()).unwrap();
    let mut list = vec![];
    while let Some(r) = c.next(src).unwrap() { list.push(r); }
    format!("{{\"info\":{},\"messages\":[{}],\"lost\":{:?}}}", c.info(), list.join(","), c.lost().each().map(|(a, b)| format!("{a} {b}")).collect::<Vec<_>>()).replace('\n', " ")
}
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).unwrap();
        let mut n = 0;
        let mut new_id = || { n += 1; format!("id{n}") };
        let mut env = Env { now_ms: 1.8e12, new_id: &mut new_id };
        let t = Transcript::open(&bytes, TranscriptOptions::default(), &mut env).unwrap();
        let (place, source) = session_of(&t, None).unwrap();
        println!("{}", all(&t.session_messages(place), &source));
        let texts = Texts(t.messages_of(&source.id).unwrap());
        let s2 = SessionSource { id: source.id.clone(), format: "with-parts", ..SessionSource::default() };
        println!("{}", all(&texts, &s2));
    }
}
