// A trajectory of SWE-agent.

import { between, resultOf, textsOf, toolsOf } from "./parts.mjs";

export const sweAgent = {
  ids: "uuid",
  head(session) {
    const config = { agent: { model: { name: session.info().model.id } } };
    const history = [
      { role: "system", content: "SETTING: A shell.", agent: "main" },
      { role: "user", content: "Mend what the tests find.", agent: "main" },
    ];
    const fields = { environment: "made-up", replay_config: JSON.stringify(config), history };
    return `${JSON.stringify(fields).slice(0, -1)},"trajectory":[`;
  },
  message({ info, parts }, state) {
    if (info.role === "user" || info.error) return "";
    const said = textsOf(parts).map(({ text }) => text);
    const thinking_blocks = parts
      .filter(({ type }) => type === "reasoning")
      .map(({ text: thinking }) => ({ type: "thinking", thinking }));
    const response = said.join("\n");
    // A step has one action.
    const tools = toolsOf(parts);
    const actions = tools.length > 0 ? tools : [undefined];
    const steps = actions.map((part, i) => {
      const { input, time } = part?.state ?? { input: {}, time: { start: 0 } };
      return {
        action: part ? (input.command ?? `${part.tool} ${JSON.stringify(input)}`) : "",
        observation: part ? resultOf(part).text || "The command was ended." : "",
        response: i === 0 ? response : "",
        thought: i === 0 ? response : "",
        thinking_blocks: i === 0 ? thinking_blocks : [],
        execution_time: ((time.end ?? time.start) - time.start) / 1000,
      };
    });
    return steps.map((step) => between(state) + JSON.stringify(step)).join("");
  },
  foot: () => '\n],"info":{"exit_status":"submitted","model_stats":{"instance_cost":0.5}}}\n',
};
