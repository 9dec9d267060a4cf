import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { TextField, type TextFieldProps } from "./text-field.tsx";
import { isComposing } from "./composition.ts";

/** Pause in typing before the address changes. Milliseconds. */
const debounceMs = 250;

/**
 * A field for a filter that lives in the address (see useUrlFilters). The router renders a new address in a transition,
 * later than React wants the value of a field: bound to the address alone, the field would put the caret at its end,
 * break the composition of an input method and lose letters. So the field keeps what is typed, and changes the address
 * after a pause, at Enter, and when it is left. It follows the address when something else changes that, such as Back.
 */
export function FilterField({
  value,
  onCommit,
  ...field
}: Omit<TextFieldProps, "value" | "onChange" | "onKeyDown" | "onBlur"> & {
  /** The filter as it stands in the address. */
  readonly value: string;
  /** Puts the text into the address, in place of what stands there. */
  readonly onCommit: (text: string) => void;
}) {
  const { key } = useLocation();
  const [text, setText] = useState(value);
  const last = useRef({ key, value });
  /** Texts that were put into the address and were not rendered from it yet, oldest first. */
  const sent = useRef<string[]>([]);

  function commit(typed: string): void {
    if (typed === (sent.current.at(-1) ?? value)) return;
    sent.current.push(typed);
    onCommit(typed);
  }
  const commitAfterPause = useEffectEvent(commit);
  useEffect(() => {
    const timer = setTimeout(() => commitAfterPause(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);

  const follow = useEffectEvent((address: { key: string; value: string }) => {
    const isTyping = text !== (sent.current.at(-1) ?? last.current.value);
    const isOtherFilter = address.value === last.current.value;
    last.current = address;
    const at = sent.current.indexOf(address.value);
    if (at !== -1) {
      sent.current = sent.current.slice(at + 1);
      return;
    }
    if (isTyping && isOtherFilter) return;
    sent.current = [];
    setText(address.value);
  });
  // At each address, also one with the same value: "Clear filters" may come before what was sent is rendered.
  useLayoutEffect(() => follow({ key, value }), [key, value]);

  return (
    <TextField
      {...field}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !isComposing(event.nativeEvent)) commit(text);
      }}
      onBlur={() => commit(text)}
    />
  );
}
