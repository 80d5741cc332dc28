//! Unified diffs.
