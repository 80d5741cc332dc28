//! Cases of streams as servers send them: each has a stream and what must be made of it. They lie outside the checkout,
//! in the folder that `APEX_PARTS_CASES` names, which `npm run test:recorded -- DIR CASES` sets: one file a group.

use crate::assemble::*;
use apex_parts_assemble::{Stream, StreamOptions, read_deltas};
use apex_parts_model::base64;
use apex_parts_wire::{ThinkTags, WireFormat, detect};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Groups of cases that need what is not read yet: they are counted, and must not all pass.
const OPEN: &[&str] = &[];

/// Is everything that is named in `want` in `have`? Of a list, each named element, in this order.
fn holds(have: &Value, want: &Value) -> bool {
    match (have, want) {
        (Value::Object(have), Value::Object(want)) => {
            want.iter().all(|(name, want)| have.get(name).is_some_and(|have| holds(have, want)))
        }
        (Value::Array(have), Value::Array(want)) => {
            let mut have = have.iter();
            want.iter().all(|want| have.any(|have| holds(have, want)))
        }
        (Value::Number(have), Value::Number(want)) => have.as_f64() == want.as_f64(),
        _ => have == want,
    }
}

/// A part as the cases write it.
fn part(part: &Value) -> Value {
    let payload = &part["payload"];
    let fields = match part["kind"].as_str().unwrap() {
        "tool_call" => vec![&payload["toolCallId"], &payload["toolName"], &payload["arguments"]],
        "custom" => vec![&payload["type"], &payload["provider"]],
        _ => vec![&payload["text"]],
    };
    Value::Array(std::iter::once(&part["kind"]).chain(fields).cloned().collect())
}

fn same_part(have: &Value, want: &Value) -> bool {
    let mut have = have.clone();
    if want[1] == "*" && want[0] == "tool_call" {
        have[1] = "*".into();
    }
    if have[0] == "custom" {
        return have[1] == want[1] && want.get(2).is_none_or(|want| holds(&have[2], want));
    }
    // Numbers as JavaScript reads them.
    have.as_array().map(Vec::len) == want.as_array().map(Vec::len)
        && have
            .as_array()
            .into_iter()
            .flatten()
            .zip(want.as_array().into_iter().flatten())
            .all(|(have, want)| holds(have, want) && holds(want, have))
}

/// The message as it was before a block was a part: parts of their own types and empty texts are not in it, texts of one
/// kind that follow each other are one, and places count in that. The cases are older than blocks.
fn joined(preview: &Value) -> Value {
    let mut preview = preview.clone();
    let mut parts: Vec<Value> = Vec::new();
    // Of each part: the index of the part that it is in now, and where in that it begins.
    let mut places: Vec<(Option<usize>, u64)> = Vec::new();
    for part in preview["parts"].as_array().unwrap() {
        let text = part["payload"]["text"].as_str();
        let length = |text: &str| text.encode_utf16().count() as u64;
        let last = parts.len().checked_sub(1);
        match (text, last.filter(|last| parts[*last]["kind"] == part["kind"])) {
            (Some(text), Some(last)) => {
                let before = parts[last]["payload"]["text"].as_str().unwrap().to_owned();
                places.push((Some(last), length(&before)));
                parts[last]["payload"]["text"] = Value::from(before + text);
            }
            (Some(""), None) => places.push((last, 0)),
            (None, _) if part["kind"] == "custom" => places.push((last, 0)),
            _ => {
                places.push((Some(parts.len()), 0));
                parts.push(part.clone());
            }
        }
    }
    for list in preview["meta"]["provider"].as_object_mut().into_iter().flatten() {
        for element in list.1.as_array_mut().into_iter().flatten() {
            let mut end = 0;
            for one in element["summaryEnds"].as_array_mut().into_iter().flatten() {
                end += one.as_u64().unwrap();
                *one = end.into();
            }
            let part = element["part"].as_u64().and_then(|part| usize::try_from(part).ok());
            let Some((part, base)) = part.and_then(|part| places.get(part)) else { continue };
            if let Some(offset) = element["offset"].as_u64() {
                element["offset"] = (base + offset).into();
            }
            element["part"] = (*part).into();
        }
    }
    preview["parts"] = parts.into();
    preview
}

/// What is wrong with a stream.
fn faults(stream: &Stream, expect: &Value) -> Vec<String> {
    let preview = preview(stream);
    let faults = faults_of(stream, &preview, expect);
    if faults.is_empty() { faults } else { faults_of(stream, &joined(&preview), expect) }
}

fn faults_of(stream: &Stream, preview: &Value, expect: &Value) -> Vec<String> {
    let (meta, mut faults) = (&preview["meta"], Vec::new());
    let mut need = |good: bool, what: &str, have: &Value| {
        if !good {
            faults.push(format!("{what} is {have}, not {}", expect[what]));
        }
    };
    let parts: Vec<_> = preview["parts"].as_array().unwrap().iter().map(part).collect();
    let problems = stream.problems();
    for (name, want) in expect.as_object().unwrap() {
        let mut whole = |have: &Value| need(holds(have, want), name, have);
        match name.as_str() {
            "status" => whole(&stream.status().as_str().into()),
            "finish" => whole(&meta["finishReason"]),
            "request" => whole(&meta["requestId"]),
            "model" => whole(&meta["modelId"]),
            "usage" | "provider" | "toolResults" => whole(&meta[name]),
            "metadata" => {
                let have = &meta["provider"]["messageMetadata"];
                need(have == want, name, have);
            }
            "lists" => {
                let lists = want.as_object().unwrap();
                let same = lists.iter().all(|(name, want)| meta["provider"][name] == *want);
                need(same, name, &meta["provider"]);
            }
            "text" => {
                let texts = parts.iter().filter(|part| part[0] == "text");
                let all: String = texts.filter_map(|part| part[1].as_str()).collect();
                need(all == want.as_str().unwrap(), name, &all.clone().into());
            }
            "field" => {
                let parts = preview["parts"].as_array().unwrap();
                let thinking = parts.iter().find(|part| part["kind"] == "thinking").unwrap();
                let have = &thinking["payload"]["provider"]["openaiCompatible"]["field"];
                need(have == want, name, have);
            }
            "holds" => {
                let all = preview.to_string();
                let words = want.as_array().unwrap();
                let has = words.iter().all(|word| all.contains(word.as_str().unwrap()));
                need(has, name, preview);
            }
            "final" => {
                let all: Vec<_> = problems.iter().map(ToString::to_string).collect();
                let ids = want.as_array().unwrap();
                let fits = problems.iter().all(|problem| problem.rule == "final")
                    && problems.len() == ids.len()
                    && problems
                        .iter()
                        .zip(ids)
                        .all(|(problem, id)| problem.message.contains(id.as_str().unwrap()));
                need(fits, name, &all.into());
            }
            "warn" => {
                let all: Vec<_> = problems.iter().map(ToString::to_string).collect();
                let is_rule = problems.iter().all(|problem| *want == *problem.rule);
                need(is_rule && !all.is_empty(), name, &all.into());
            }
            "error" => {
                let mut want = want.as_object().unwrap().clone();
                let part = want.remove("messageHas").unwrap_or("".into());
                let message = meta["error"]["message"].as_str().unwrap_or_default();
                let fits = message.contains(part.as_str().unwrap());
                need(fits && holds(&meta["error"], &want.into()), name, &meta["error"]);
            }
            "noUsage" => need(meta.get("usage").is_none(), name, &meta["usage"]),
            "parts" => {
                let want = want.as_array().unwrap();
                let same = parts.iter().zip(want).all(|(have, want)| same_part(have, want));
                need(same && parts.len() == want.len(), name, &Value::Array(parts.clone()));
            }
            "parseErrors" => {
                let have = meta["parseErrors"].as_array().into_iter().flatten();
                let have = have.map(|error| error["toolCallId"].clone()).collect();
                need(&have == want, name, &have);
            }
            "problems" => {
                let has = |rule: &Value| problems.iter().any(|p| rule == p.rule.as_str());
                let all = problems.iter().map(|p| p.rule.as_str()).collect();
                need(want.as_array().unwrap().iter().all(has), name, &all);
            }
            "warnings" | "messages" => {
                let has = |word: &Value| {
                    problems.iter().any(|p| p.message.contains(word.as_str().unwrap()))
                };
                let all = problems.iter().map(|p| p.message.as_str()).collect();
                need(want.as_array().unwrap().iter().all(has), name, &all);
            }
            "clean" => {
                let all = problems.iter().map(ToString::to_string).collect::<Vec<_>>();
                need(all.is_empty(), name, &all.into());
            }
            // Those of its deltas and changes, and what only the package can do.
            "responses" | "reset" | "resets" | "resetAt" | "set" | "name" | "transcript"
            | "inspect" => {}
            other => panic!("the cases check {other:?}, which this test does not know"),
        }
    }
    faults
}

fn options(case: &Value, collect: bool) -> StreamOptions {
    let format = WireFormat::parse(case["format"].as_str().unwrap());
    let base = if collect { collecting() } else { StreamOptions::default() };
    let tags = &case["options"]["thinkTags"];
    let tag = tags.as_str().or_else(|| tags["tag"].as_str()).unwrap_or("think").to_owned();
    let open = tags["open"] == true;
    let is_on = tags.as_bool().unwrap_or(!tags.is_null());
    let think_tags = is_on.then_some(ThinkTags { tag, open });
    StreamOptions { format, run_id: Some("r".into()), think_tags, ..base }
}

/// Where a stream is cut: another sequence for every case, the same in every run.
struct Cuts(u64);

impl Cuts {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % below
    }
}

fn run(options: StreamOptions, chunks: &[&[u8]]) -> Stream {
    let mut stream = Stream::new(options);
    for chunk in chunks {
        let _ = stream.push_bytes(chunk, 0.0);
    }
    stream.end(0.0);
    stream
}

/// The deltas of each response.
fn responses(case: &Value, bytes: &[u8]) -> Vec<Vec<Value>> {
    let mut fresh = 0;
    let deltas = read_deltas(bytes, &options(case, true), 0.0, &mut || {
        fresh += 1;
        format!("r{fresh}")
    });
    let deltas = json_of(&deltas.unwrap());
    let mut responses: Vec<Vec<Value>> = Vec::new();
    for delta in deltas.as_array().unwrap() {
        match responses.last_mut() {
            Some(last) if last[0]["runId"] == delta["runId"] => last.push(delta.clone()),
            _ => responses.push(vec![delta.clone()]),
        }
    }
    responses
}

/// What is wrong with the resets among the deltas.
fn faults_of_resets(responses: &[Vec<Value>], expect: &Value) -> Vec<String> {
    let deltas: Vec<_> = responses.iter().flatten().collect();
    let resets: Vec<_> = deltas.iter().filter(|delta| delta["kind"] == "reset").collect();
    let mut faults = Vec::new();
    if let Some(want) = expect["reset"].as_bool().filter(|want| *want == resets.is_empty()) {
        faults.push(format!("there are {} resets, which should be {want}", resets.len()));
    }
    if let Some(most) = expect["resets"].as_u64().filter(|most| resets.len() as u64 > *most) {
        faults.push(format!("there are {} resets, not {most}", resets.len()));
    }
    for reset in &resets {
        let since = &reset["payload"]["since"];
        let named = deltas.iter().find(|delta| delta["seq"] == *since);
        let begins = ["text", "thinking", "tool_call_start", "custom"];
        if !named.is_some_and(|delta| begins.contains(&delta["kind"].as_str().unwrap())) {
            faults.push(format!("a reset names {since}, with which no part begins"));
        }
    }
    if let (Some(want), Some(first)) = (expect["resetAt"].as_u64(), resets.first()) {
        let at = deltas.iter().position(|delta| delta == *first).unwrap();
        let mut stream = Stream::new(collecting());
        deltas[..=at].iter().for_each(|delta| push(&mut stream, delta).unwrap());
        let left = preview(&stream)["parts"].as_array().unwrap().len();
        if left as u64 != want {
            faults.push(format!("{left} parts stand before the first reset, not {want}"));
        }
    }
    faults
}

fn text_of(response: &[Value]) -> String {
    let of = |delta: &Value| delta["payload"]["textDelta"].as_str().map(str::to_owned);
    response.iter().filter(|delta| delta["kind"] == "text").filter_map(of).collect()
}

/// What is wrong with a case.
fn check(case: &Value) -> Vec<String> {
    let bytes = match case["base64"].as_str() {
        Some(text) => base64::decode(text.as_bytes()),
        None => case.get("text").unwrap_or(&case["input"]).as_str().unwrap().as_bytes().to_vec(),
    };
    let expect = &case["expect"];
    let whole = run(options(case, true), &[&bytes]);
    let mut all = faults(&whole, expect);
    let want = seen(&whole);
    let mut same = |stream: &Stream, how: &str| {
        if seen(stream) != want {
            all.push(format!("{how}: {:?} is not {want:?}", seen(stream)));
        }
    };
    same(&run(options(case, true), &bytes.chunks(1).collect::<Vec<_>>()), "byte by byte");
    let mut cuts = Cuts(bytes.len() as u64);
    for _ in 0..4 {
        let (mut chunks, mut rest) = (Vec::new(), bytes.as_slice());
        while !rest.is_empty() {
            let (chunk, more) = rest.split_at(1 + cuts.next(rest.len().min(60)));
            chunks.push(chunk);
            rest = more;
        }
        same(&run(options(case, true), &chunks), "split");
    }
    for at in (0..bytes.len()).step_by(1 + bytes.len() / 97) {
        let mut first = Stream::new(options(case, true));
        first.push_bytes(&bytes[..at], 0.0).unwrap();
        let mut second = Stream::restore(&first.snapshot(), StreamOptions::default()).unwrap();
        second.push_bytes(&bytes[at..], 0.0).unwrap();
        second.end(0.0);
        same(&second, &format!("restored at {at}"));
    }
    let found = responses(case, &bytes);
    if let Some(first) = found.first() {
        let mut stream = Stream::new(collecting());
        first.iter().for_each(|delta| push(&mut stream, delta).unwrap());
        if whole.status().as_str() != "error" || want.0["meta"].get("error").is_some() {
            let mut again = seen(&stream).0;
            again["timestamp"] = want.0["timestamp"].clone();
            if again != want.0 {
                all.push(format!("its deltas: {again} is not {}", want.0));
            }
        }
    }
    all.extend(faults_of_resets(&found, expect));
    if expect["set"] == true {
        let mut stream = Stream::new(options(case, true));
        let mut changes = Vec::new();
        for byte in &bytes {
            let _ = stream.push_bytes(&[*byte], 0.0);
            changes.extend(take(&mut stream));
        }
        if let Some(change) = changes.iter().find(|change| change["op"] == "remove") {
            all.push(format!("a change removes: {change}"));
        }
    }
    let texts: Vec<_> = found.iter().map(|one| Value::from(text_of(one))).collect();
    if let Some(want) = expect.get("responses").filter(|want| **want != Value::from(texts.clone()))
    {
        all.push(format!("responses are {texts:?}, not {want}"));
    }
    if expect["clean"] == true {
        let mut stream = Stream::new(options(case, false));
        if let Err(violation) = stream.push_bytes(&bytes, 0.0) {
            all.push(format!("thrown: {}", violation.message));
        }
    }
    let found = detect(&bytes).map_or(Value::Null, |format| format.as_str().into());
    if case.get("detect").is_some_and(|want| *want != found) {
        all.push(format!("detected as {found}, not {}", case["detect"]));
    }
    all
}

#[test]
#[ignore = "asks for a folder of cases outside the checkout"]
fn recorded_cases_give_what_they_say() {
    let folder = std::env::var_os("APEX_PARTS_CASES").expect("APEX_PARTS_CASES names a folder");
    let folder = Path::new(&folder);
    let mut groups: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            groups.insert(name, serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap());
        }
    }
    assert!(!groups.is_empty(), "{} has no cases", folder.display());
    let only = std::env::var("APEX_PARTS_CASE").unwrap_or_default();
    let mut wrong = Vec::new();
    for (name, mut cases) in groups {
        // Those without a format are of the package: what it names and refuses.
        cases.retain(|case| case["format"].as_str().and_then(WireFormat::parse).is_some());
        cases.retain(|case| case["id"].as_str().unwrap().contains(&only));
        let faults: Vec<_> = cases.iter().map(|case| (&case["id"], check(case))).collect();
        let failed: Vec<_> = faults.iter().filter(|(_, faults)| !faults.is_empty()).collect();
        if !cases.is_empty() {
            eprintln!("{name}: {} of {}", cases.len() - failed.len(), cases.len());
        }
        for (id, faults) in &failed {
            eprintln!("  {id}: {}", faults[0].chars().take(400).collect::<String>());
        }
        if failed.is_empty() == (OPEN.contains(&name.as_str()) && !cases.is_empty())
            && only.is_empty()
        {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "not as expected: {wrong:?}");
}
