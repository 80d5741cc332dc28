import type { Failure } from "./values";

/** An error of a message or of a retried attempt. */
export function FailureBox({ failure }: { failure: Failure }) {
  const { status, retryable } = failure;
  return (
    <section class="failure" aria-label="Error">
      <p class="failure-head">
        <strong>{failure.name}</strong>
        {status !== undefined && <span>HTTP {status}</span>}
        {retryable !== undefined && (
          <span>{retryable ? "can be retried" : "cannot be retried"}</span>
        )}
      </p>
      <p class="failure-message">{failure.message}</p>
      {failure.body && (
        <details>
          <summary>Response body</summary>
          <pre>{failure.body}</pre>
        </details>
      )}
    </section>
  );
}
