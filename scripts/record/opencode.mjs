// Sessions of the real OpenCode: NAME.events.sse is all that `GET /event` sent, NAME.export.json is what
// `opencode export` wrote afterwards.
import { join } from "node:path";
import { demo, withCleanUp } from "./demo.mjs";
import { SESSIONS } from "./opencode-sessions.mjs";
import { noTrace, write } from "./written.mjs";

async function record(name, { answers, limit, config, play }) {
  return withCleanUp(async (t) => {
    const options = { answers, limit, counts: true, config: { snapshot: true, ...config } };
    const place = await demo(t, options);
    const server = await place.serve();
    const { id } = await server.session(name);
    await play({ server, id, ask: (text) => server.prompt(id, text) });
    await server.events.find(
      ({ type, properties }) => type === "session.idle" && properties.sessionID === id,
    );
    await server.events.silence(1500);
    const { text } = server.events;
    await server.close();
    const { left } = place.model;
    if (left.length > 0) throw new Error(`${name}: ${JSON.stringify(left)} was not asked for`);
    const session = await place.export(id);
    return {
      [`${name}.events.sse`]: place.recorded(text),
      [`${name}.export.json`]: `${place.recorded(JSON.stringify(session, null, 2))}\n`,
    };
  });
}

/** Records the sessions into a folder. */
export async function recordOpenCode(folder, only) {
  for (const [name, session] of Object.entries(SESSIONS)) {
    if (only && !only.test(name)) continue;
    const files = await record(name, session);
    for (const [file, text] of Object.entries(files)) write(join(folder, file), noTrace(text));
  }
}
