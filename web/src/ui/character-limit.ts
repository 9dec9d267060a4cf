import { useCallback, useState, type Ref } from "react";
import { countCharacters, countingNote, cutToCharacters } from "@/domain/character-count.ts";

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** The counter is shown from this part of the limit on. */
const counterFrom = 0.9;

/** Stops what would be typed or pasted beyond the limit; of a paste, as much as fits is taken. */
function stopAtLimit(event: InputEvent, limit: number): void {
  const field = event.currentTarget as TextControl;
  const added = event.data ?? (event.inputType.startsWith("insertLine") ? "\n" : "");
  // A composition is left alone: what it would lose is not known before it ends.
  if (added === "" || event.isComposing || !event.cancelable) return;
  const { value, selectionStart: start, selectionEnd: end } = field;
  // Fields for numbers and addresses have no selection.
  if (start === null || end === null) return;
  const room = limit - countCharacters(value.slice(0, start) + value.slice(end));
  if (countCharacters(added) <= room) return;
  event.preventDefault();
  const fitting = cutToCharacters(added.replaceAll("\r\n", "\n"), Math.max(0, room));
  if (fitting === "") return;
  field.setRangeText(fitting, start, end, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

function setRef(ref: Ref<TextControl> | undefined, node: TextControl | null): void {
  if (typeof ref === "function") ref(node);
  else if (ref) ref.current = node;
}

/**
 * Keeps a field within a limit, in characters as the database counts them. The attribute `maxlength` counts UTF-16 units:
 * it stops at half as many emoji, and cuts a family in two.
 * @returns a `ref` for the field, and what is to be said once the limit is near.
 */
export function useCharacterLimit<Control extends TextControl>(
  limit: number | undefined,
  { ref, value }: { readonly ref?: Ref<Control> | undefined; readonly value?: unknown },
): { readonly ref: Ref<Control>; readonly counter: string | null } {
  const [counter, setCounter] = useState<string | null>(null);
  const attach = useCallback(
    (node: Control | null) => {
      const given = ref as Ref<TextControl> | undefined;
      setRef(given, node);
      if (node === null || limit === undefined) return () => setRef(given, null);
      const stop = (event: Event) => stopAtLimit(event as InputEvent, limit);
      const count = () => setCounter(counterOf(node.value, limit));
      node.addEventListener("beforeinput", stop);
      node.addEventListener("input", count);
      // A form that was filled in or emptied sends no event.
      count();
      return () => {
        node.removeEventListener("beforeinput", stop);
        node.removeEventListener("input", count);
        setRef(given, null);
      };
    },
    [limit, ref],
  );
  if (limit === undefined || typeof value !== "string") return { ref: attach, counter };
  return { ref: attach, counter: counterOf(value, limit) };
}

function counterOf(text: string, limit: number): string | null {
  const count = countCharacters(text);
  if (count < limit * counterFrom) return null;
  const numbers = new Intl.NumberFormat("en-GB");
  return `${numbers.format(count)} of ${numbers.format(limit)} characters. ${countingNote(text)}`.trim();
}
