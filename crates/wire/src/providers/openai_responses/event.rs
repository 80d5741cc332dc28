//! What the names of events mean.

/// What a delta is a piece of, by its event's name.
pub(crate) enum DeltaTarget {
    /// Text of a message.
    Text,
    /// A refusal.
    Refusal,
    /// A summary of reasoning.
    Summary,
    /// Reasoning.
    Reasoning,
    /// The arguments of a call, as JSON text.
    Args,
    /// The free text that is a call's input.
    Token,
    /// The diff of a patch.
    Patch,
    /// A command of a shell call.
    Command,
}

/// What a delta event is a piece of; `None` if it is not a known delta.
pub(crate) fn delta_target(kind: &str) -> Option<DeltaTarget> {
    Some(match kind.strip_prefix("response.")?.strip_suffix(".delta")? {
        "output_text" => DeltaTarget::Text,
        "refusal" => DeltaTarget::Refusal,
        "reasoning_summary_text" | "reasoning_summary" => DeltaTarget::Summary,
        "reasoning_text" | "reasoning" => DeltaTarget::Reasoning,
        "function_call_arguments" | "mcp_call_arguments" | "mcp_call.arguments" => {
            DeltaTarget::Args
        }
        "custom_tool_call_input" | "code_interpreter_call_code" | "code_interpreter_call.code" => {
            DeltaTarget::Token
        }
        "apply_patch_call_operation_diff" => DeltaTarget::Patch,
        "shell_call_command" => DeltaTarget::Command,
        _ => return None,
    })
}

/// Events that report the progress of a tool. They are skipped, because the item has the outcome.
pub(crate) fn is_progress(name: &str) -> bool {
    const STATES: &[&str] = &[
        ".in_progress",
        ".searching",
        ".interpreting",
        ".generating",
        ".completed",
        ".failed",
        ".partial_image",
        ".added",
    ];
    STATES.iter().any(|state| name.ends_with(state)) || name == "shell_call_output_content.delta"
}

/// Events that may begin a response.
pub(crate) fn is_first(kind: &str) -> bool {
    matches!(kind, "response.created" | "response.queued" | "response.in_progress")
}

/// Events that end a response.
pub(crate) fn is_last(kind: &str) -> bool {
    matches!(
        kind,
        "error"
            | "response.failed"
            | "response.completed"
            | "response.incomplete"
            | "response.cancelled"
    )
}
