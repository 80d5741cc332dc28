import { useEffect, useRef, useState } from "preact/hooks";

/** What came back, and to which question. */
interface AnswerTo<T> {
  question: string;
  value: T;
}

/**
 * Asks what is not to be asked at each move of a pointer: once the question has been the same for `pause`
 * milliseconds. Gives the answer that came last; `undefined` asks nothing, and what fails has no answer.
 */
export function useAnswer<T>(
  question: string | undefined,
  ask: () => Promise<T>,
  pause: number,
): AnswerTo<T> | undefined {
  const [answer, setAnswer] = useState<AnswerTo<T>>();
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (question === undefined) return;
    let isWanted = true;
    const timer = setTimeout(() => {
      latest.current().then(
        (value) => isWanted && setAnswer({ question, value }),
        () => {},
      );
    }, pause);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [question, pause]);
  return answer;
}
