import { messageFieldId } from "@/lib/typed-ahead.ts";
import { composerStrings } from "../strings.ts";

/** The first stop of a conversation's page: leads past the list of the others, and past the messages, to the field. */
export function SkipToMessageField() {
  return (
    <button
      type="button"
      onClick={() => document.getElementById(messageFieldId)?.focus()}
      className="sr-only z-50 rounded-control bg-ink px-4 py-2 text-on-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      {composerStrings.skipToField}
    </button>
  );
}
