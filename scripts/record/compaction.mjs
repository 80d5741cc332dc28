// Compactions of the real OpenCode: NAME.export.json is the session afterwards, NAME.requests.jsonl all that the model
// was sent but for titles, NAME.setup.json how it was made.
import { join } from "node:path";
import { RUNS } from "./compaction-runs.mjs";
import { demo, withCleanUp } from "./demo.mjs";
import { findOpenCode } from "./place.mjs";
import { noTrace, write } from "./written.mjs";

/** A request without what says nothing here: definitions of tools, and the text of the system prompt. */
function shortened({ kind, max_tokens, tools = [], messages }) {
  const said = messages.map(({ role, content, ...more }) =>
    role === "system" ? { role, chars: content.length } : { role, content, ...more },
  );
  return { kind, max_tokens, tools: tools.length, messages: said };
}

async function record(name, { history, steps, answers, context, output, input, compaction }) {
  return withCleanUp(async (t) => {
    const limit = { context, output, ...(input ? { input } : {}) };
    const config = { snapshot: true };
    const place = await demo(t, { answers, limit, compaction, config, counts: true });
    if (history) await place.import(history);
    const server = await place.serve();
    const id = history?.info.id ?? (await server.session(name)).id;
    const sent = () => place.model.requests.filter(({ kind }) => kind !== "title");
    const stepFirstRequest = [];
    for (const { prompt, parts, summarize } of steps) {
      stepFirstRequest.push(sent().length);
      if (summarize) await server.summarize(id);
      else await server.prompt(id, prompt ?? parts);
      await server.events.silence(1500);
    }
    const session = history && { info: await server.info(id), messages: await server.messages(id) };
    await server.close();
    const { left } = place.model;
    if (left.length > 0) throw new Error(`${name}: ${JSON.stringify(left)} was not asked for`);
    const { version } = await findOpenCode();
    const note = "imported with opencode import; read back through GET /session/ID/message";
    const setup = {
      ...{
        ...limit,
        compaction,
        steps,
        stepFirstRequest,
        imported: history !== undefined,
        version,
      },
      ...(history ? { note } : {}),
    };
    const requests = sent().map((request) => `${JSON.stringify(shortened(request))}\n`);
    const json = JSON.stringify(session ?? (await place.export(id)), null, 2);
    return {
      [`${name}.export.json`]: `${place.recorded(json)}\n`,
      [`${name}.requests.jsonl`]: place.recorded(requests.join("")),
      [`${name}.setup.json`]: `${JSON.stringify(setup)}\n`,
    };
  });
}

/** Records the compactions into a folder. */
export async function recordCompactions(folder, only) {
  for (const [name, run] of Object.entries(RUNS)) {
    if (only && !only.test(name)) continue;
    const files = await record(name, run);
    for (const [file, text] of Object.entries(files)) write(join(folder, file), noTrace(text));
  }
}
