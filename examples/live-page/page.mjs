// The page: passes the events of a server (SSE) to the element unchanged.
// With a bundler this is `import "apex-parts/viewer"`.
import "./apex-parts/viewer.mjs";

const transcript = document.querySelector("apex-transcript");
const state = document.querySelector("#state");
const again = document.querySelector("button");

function run() {
  again.disabled = true;
  const events = new EventSource("events");
  events.onopen = () => {
    state.textContent = "The agent is at work.";
  };
  events.onmessage = (event) => transcript.push(JSON.parse(event.data));
  events.addEventListener("done", () => {
    events.close();
    transcript.end();
    state.textContent = "The run is over.";
    again.disabled = false;
  });
  events.onerror = () => {
    // A new connection would restart the run, so what is shown remains.
    events.close();
    state.textContent = "The connection broke.";
    again.disabled = false;
  };
}

again.onclick = run;
run();
