//! URIs of resources and definitions of tools, as a server sends them.

use apex_parts::mcp::definition::{SchemaDialect, read_definition};
use apex_parts::mcp::name::tool_name;
use apex_parts::mcp::uri::{format_uri, parse_uri};

/// What is read is written so that it is read the same; what is written is read back.
pub fn mcp_uri(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for uri in [text.to_string(), format!("mcp://{text}")] {
        if let Ok(parsed) = parse_uri(&uri) {
            let again = format_uri(&parsed.server, &parsed.path);
            // Encoded, it may be longer than a URI may be.
            if let Ok(again) = again {
                assert_eq!(parse_uri(&again), Ok(parsed));
            }
        }
    }
    let (server, path) = text.split_once('|').unwrap_or((&text, "/"));
    if let Ok(uri) = format_uri(server, path) {
        let parsed = parse_uri(&uri).expect("it was written here");
        assert_eq!((&*parsed.server, &*parsed.path), (server, path));
    }
    let name = tool_name(server, path, 64);
    assert!(name.len() <= 64 && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'));
}

/// Any text gives parameters that are a schema of an object, and the same ones when it is read again.
pub fn mcp_definition(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let whole = format!("{{\"name\":\"t\",\"inputSchema\":{text}}}");
    let dialects = [
        SchemaDialect::Keep,
        SchemaDialect::Anthropic,
        SchemaDialect::OpenAi,
        SchemaDialect::Gemini,
    ];
    for json in [&*text, &*whole] {
        for dialect in dialects {
            let read = read_definition(json, dialect);
            let made: serde_json::Value =
                serde_json::from_str(&read.parameters).expect("the parameters are JSON");
            assert!(made["type"] == "object" && made["properties"].is_object(), "{made}");
            assert_eq!(read.fingerprint.len(), 64);
            let again = format!("{{\"inputSchema\":{}}}", read.parameters);
            let second = read_definition(&again, dialect);
            assert!(second.problems.iter().all(|problem| problem.rule != "MT-2"));
            if dialect == SchemaDialect::Keep && !read.is_left_out {
                assert_eq!(second.parameters, read.parameters);
            }
        }
    }
}
