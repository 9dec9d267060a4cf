import { useEffect, type RefObject } from "react";
import { letterKeysWanted } from "@/domain/letter-keys.ts";
import { isKeyTaken } from "@/lib/is-key-taken.ts";

const isLetter = /^[\p{L}\p{N}]$/u;

/**
 * What is typed while nothing in the conversation has the focus, as after it was opened by a link, or a message has it, goes into
 * the message field: the first letter too, but for the keys of a message. The focus itself stays where a screen reader begins to read, until then.
 */
export function useTypeToWrite(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!isLetter.test(event.key) || isKeyTaken(event) || !letterKeysWanted()) return;
      if (
        !(event.target instanceof Element) ||
        !event.target.matches("body, main, article[data-message]")
      )
        return;
      // The letter itself follows the focus.
      field.current?.focus();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [field]);
}
