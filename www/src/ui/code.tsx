import { useEffect, useMemo, useState } from "preact/hooks";
import { ansi } from "./ansi";
import { useBlockSource } from "./blocks";
import { foldAt } from "./fold";
import { bytes, count, one } from "./format";
import { highlight } from "./highlight";
import { splitLines, type Token } from "./tokens";
import type { LongText } from "./values";

/** What one press of "Show more" adds; less where each line is an element of its own. */
const STEP = 200_000;
const STEP_NUMBERED = 40_000;

interface CodeProps {
  row: number;
  text: LongText;
  label: string;
  language?: string | undefined;
  /** Number of the first line; without it there are no line numbers. */
  firstLine?: number | undefined;
  terminal?: boolean;
  /** Opens with this much of the text instead of the fold. */
  unfolded?: boolean;
}

/** A block of code or output: folded when long, opened piece by piece, coloured when in view. */
export function Code(props: CodeProps) {
  const { text, language, firstLine, label } = props;
  const step = firstLine === undefined ? STEP : STEP_NUMBERED;
  const { shown: opened, limit, setLimit, fold } = useShown(props, step);
  // Folded, it may be its end that is shown.
  const end = limit === 0 ? text.end : undefined;
  const shown = end?.text ?? opened;
  const tokens = useTokens(shown, language, props.terminal ?? false);
  const rest = end ? 0 : text.length - shown.length;
  const isOpened = text.end ? limit > 0 : limit > fold && shown.length > fold;
  return (
    <figure
      class="code"
      aria-label={label}
      data-field={text.field}
      data-end={end ? "true" : undefined}
    >
      {end && (
        <div class="code-more code-before">
          <span>{lastOf(end.lines, text)}</span>
          <button type="button" onClick={() => setLimit(step)}>
            {text.length <= step ? wholeOf(text) : "Show from the beginning"}
          </button>
        </div>
      )}
      {firstLine === undefined ? (
        <pre>
          <code>{tokens.map(drawToken)}</code>
        </pre>
      ) : (
        <pre class="numbered" style={{ counterReset: `line ${firstLine - 1}` }}>
          <code>
            {splitLines(tokens).map((line, i) => (
              <span class="line" key={i}>
                {line.length > 0 ? line.map(drawToken) : " "}
              </span>
            ))}
          </code>
        </pre>
      )}
      {(rest > 0 || isOpened) && (
        <div class="code-more">
          {rest > 0 && (
            <button type="button" onClick={() => setLimit(Math.max(shown.length, fold) + step)}>
              {rest <= step ? wholeOf(text) : `Show ${bytes(step)} more of ${bytes(text.length)}`}
            </button>
          )}
          {isOpened && (
            <button type="button" onClick={() => setLimit(0)}>
              Show less
            </button>
          )}
        </div>
      )}
    </figure>
  );
}

/** How much is shown, and that much of the text; what is not in the row is asked of the worker. */
function useShown({ row, text, unfolded }: CodeProps, step: number) {
  const source = useBlockSource();
  const key = `${row} ${text.field}${unfolded ? " all" : ""}`;
  const fold = useMemo(() => foldAt(text), [text]);
  const limit = source.expandedBlocks.get(key) ?? (unfolded ? step : 0);
  const [more, setMore] = useState<string>();
  const wanted = Math.min(Math.max(limit, fold), text.length);
  useEffect(() => {
    if (wanted <= text.head.length) return;
    let current = true;
    void source.text(row, text.field, 0, wanted).then((value) => {
      if (current) setMore(value);
    });
    return () => {
      current = false;
    };
  }, [source, row, text, wanted]);
  const longest = wanted > text.head.length ? (more ?? text.head) : text.head;
  const setLimit = (value: number) => source.expandedBlocks.set(key, value);
  return { shown: longest.slice(0, wanted), limit, setLimit, fold };
}

function wholeOf({ lines }: LongText): string {
  return lines === 1 ? "Show the whole line" : `Show all ${one(lines, "line")}`;
}

function lastOf(shown: number, { lines }: LongText): string {
  return lines === 1 ? "The end of one line" : `Last ${count(shown)} of ${count(lines)} lines`;
}

function useTokens(text: string, language: string | undefined, terminal: boolean): Token[] {
  const plain = useMemo(() => (terminal ? ansi(text) : [{ text }]), [text, terminal]);
  const [coloured, setColoured] = useState<{ of: string; tokens: Token[] }>();
  useEffect(() => {
    if (!language) return;
    let current = true;
    void highlight(text, language).then((tokens) => {
      if (current && tokens) setColoured({ of: text, tokens });
    });
    return () => {
      current = false;
    };
  }, [text, language]);
  return coloured?.of === text ? coloured.tokens : plain;
}

function drawToken({ text, class: name }: Token, i: number) {
  return name ? (
    <span class={name} key={i}>
      {text}
    </span>
  ) : (
    text
  );
}
