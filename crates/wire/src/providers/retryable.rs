//! Whether a request that failed may be sent again.

/// Whether sending the request again may succeed, by the error's code or HTTP status; `None` if the
/// code is not known.
pub(crate) fn retryable(code: &str) -> Option<bool> {
    match code {
        "server_error"
        | "rate_limit_exceeded"
        | "rate_limit_error"
        | "overloaded"
        | "timeout"
        | "overloaded_error"
        | "internal_server_error"
        | "service_unavailable"
        | "api_error"
        | "408"
        | "409"
        | "429" => Some(true),
        "insufficient_quota"
        | "invalid_request_error"
        | "invalid_api_key"
        | "content_filter"
        | "context_length_exceeded"
        | "authentication_error"
        | "permission_error" => Some(false),
        _ => match code.parse::<u16>() {
            Ok(500..=599) => Some(true),
            Ok(400..=499) => Some(false),
            _ => None,
        },
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::retryable;

    #[test]
    fn codes_and_statuses_decide() {
        assert_eq!(retryable("429"), Some(true));
        assert_eq!(retryable("503"), Some(true));
        assert_eq!(retryable("404"), Some(false));
        assert_eq!(retryable("insufficient_quota"), Some(false));
        assert_eq!(retryable("strange"), None);
    }
}
