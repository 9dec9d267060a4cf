import type { KeyboardEvent } from "react";
import { isComposing } from "@/ui/composition.ts";

/** True for Enter, which sends what is written in a message field, and then starts no new line. Not with Shift, nor while an input method composes. */
export function sendsMessage(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.shiftKey || isComposing(event.nativeEvent)) return false;
  event.preventDefault();
  return true;
}
