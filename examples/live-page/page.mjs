// The page: begins a run, and lets the element follow it. It comes back by itself when a connection breaks.
// With a bundler this is `import "apex-parts/viewer"`.
import "./apex-parts/viewer.mjs";

const transcript = document.querySelector("apex-transcript");
const state = document.querySelector("#state");
const again = document.querySelector("button");

transcript.addEventListener("end", () => {
  state.textContent = "The run is over.";
  again.disabled = false;
});
transcript.addEventListener("error", () => {
  state.textContent = "The run cannot be followed.";
  again.disabled = false;
});

async function run() {
  again.disabled = true;
  const runId = crypto.randomUUID();
  await fetch(`/runs/${runId}`, { method: "POST" });
  follow(runId);
  // Loading the page again follows the same run.
  history.replaceState(null, "", `#${runId}`);
}

function follow(runId) {
  state.textContent = "The agent is at work.";
  transcript.live = `/runs/${runId}/events`;
}

again.onclick = run;
if (location.hash) follow(location.hash.slice(1));
else run();
