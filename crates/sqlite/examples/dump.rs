//! Prints the tables of a database as JSON.
use apex_parts_sqlite::{SqliteDatabase, SqliteValue};
fn text(t: &str) -> String {
    let mut o = String::from("\"");
    for c in t.chars() {
        match c {
            '"' => o.push_str("\\\""),
            '\\' => o.push_str("\\\\"),
            c if (c as u32) < 32 => o.push_str(&format!("\\u{:04x}", c as u32)),
            c => o.push(c),
        }
    }
    o.push('"');
    o
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let log = a.get(2).map(|p| std::fs::read(p).unwrap());
    let mut db = match SqliteDatabase::open(Box::new(std::fs::read(&a[1]).unwrap()), log) {
        Ok(db) => db,
        Err(e) => {
            println!("{{\"error\":{}}}", text(&e));
            return;
        }
    };
    let tables: Vec<_> = db.tables().to_vec();
    let mut out = Vec::new();
    for t in &tables {
        let mut rows = db.rows(&t.name).unwrap();
        let mut list = Vec::new();
        while let Some(r) = db.next(&mut rows) {
            let v: Vec<_> = r
                .values
                .iter()
                .map(|v| match v {
                    SqliteValue::Null => "null".into(),
                    SqliteValue::Integer(i) => {
                        if i.unsigned_abs() > 1 << 53 {
                            format!("{{\"$int\":\"{i}\"}}")
                        } else {
                            i.to_string()
                        }
                    }
                    SqliteValue::Real(f) => {
                        if f.is_finite() {
                            format!("{f:e}")
                        } else {
                            format!("\"{f}\"")
                        }
                    }
                    SqliteValue::Text(t) => text(t),
                    SqliteValue::Blob(b) => format!(
                        "{{\"$blob\":\"{}\"}}",
                        b.iter().map(|b| format!("{b:02x}")).collect::<String>()
                    ),
                })
                .collect();
            list.push(format!("[{}]", v.join(",")));
        }
        let c: Vec<_> = t.columns.iter().map(|c| text(c)).collect();
        out.push(format!(
            "{}:{{\"columns\":[{}],\"rows\":[{}]}}",
            text(&t.name),
            c.join(","),
            list.join(",")
        ));
    }
    let p: Vec<_> =
        db.problems().iter().map(|p| text(&format!("{} @{:?}", p.message, p.offset))).collect();
    println!("{{\"tables\":{{{}}},\"problems\":[{}]}}", out.join(","), p.join(","));
}
