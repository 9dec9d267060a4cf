import { useCallback, useRef, useState, type ReactNode, type RefObject } from "react";
import { ExplanationFields } from "./components/explanation-fields.tsx";
import { explanationStrings } from "./strings.ts";

/** Why something of another member is taken away, and what asks for it in the window that confirms it. */
export interface Explanation {
  readonly text: string;
  /** Begins anew for the next thing: with nothing, or what is likely. */
  readonly begin: (likely?: string) => void;
  /** Whether there is one; while there is none, the fields say so. */
  readonly require: () => boolean;
  readonly fields: ReactNode;
  /** The field that has the focus first. */
  readonly firstFocus: RefObject<HTMLSelectElement | null>;
}

/** `hint` says what the author is told besides; without a report there is nobody but who deleted it. */
export function useExplanation(hint: string = explanationStrings.hint): Explanation {
  const [text, setText] = useState("");
  const [isMissing, setMissing] = useState(false);
  const firstFocus = useRef<HTMLSelectElement>(null);
  const write = useCallback((written: string) => {
    setText(written);
    setMissing(false);
  }, []);
  return {
    text: text.trim(),
    begin: useCallback((likely = "") => write(likely), [write]),
    require: () => {
      if (text.trim() !== "") return true;
      setMissing(true);
      firstFocus.current?.focus();
      return false;
    },
    fields: (
      <ExplanationFields
        value={text}
        onChange={write}
        hint={hint}
        isMissing={isMissing}
        reasons={firstFocus}
      />
    ),
    firstFocus,
  };
}
