//! Results of servers of the Model Context Protocol.

use apex_parts::mcp::content::{ContentHead, read_content};
use apex_parts::model::Severity;

/// The first line is structured content if it is JSON; every later one an item, JSON or not. The output is not
/// blank, has no control characters, and is no longer than it may be; each resource is where it is said to be.
pub fn mcp_content(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (first, items) = text.split_once('\n').unwrap_or(("", &text));
    let structured = serde_json::from_str::<serde_json::Value>(first).ok();
    let structured = structured.map(|value| value.to_string());
    for (is_read, max_output) in [(false, 51_200), (true, 40), (false, 7)] {
        let head = ContentHead {
            client: "demo".into(),
            is_read,
            is_object: true,
            has_content: true,
            max_output,
            max_files: 2,
            ..ContentHead::default()
        };
        let parts = read_content(&head, items, structured.as_deref());
        assert!(!parts.output.trim().is_empty());
        let is_hidden = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
        assert!(!parts.output.contains(is_hidden), "{:?}", parts.output);
        assert!(parts.output.len() <= max_output.max(60) + 60, "{:?}", parts.output);
        assert!(parts.attachments.len() <= 2);
        assert!(parts.problems.iter().all(|problem| problem.rule.starts_with("MC-")));
        assert!(
            !parts.is_error
                && parts.problems.iter().all(|p| p.severity != Severity::Error || p.rule == "MC-5")
        );
        let units: Vec<u16> = parts.output.encode_utf16().collect();
        for source in parts.resources.iter().filter_map(|resource| resource.source.as_ref()) {
            let named = units.get(source.start..source.end).map(String::from_utf16_lossy);
            assert_eq!(named.as_deref(), Some(&*source.value));
        }
    }
}
