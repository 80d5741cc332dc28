//! Permission rules: which of them decides a request.
