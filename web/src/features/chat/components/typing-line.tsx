import { formatTyping } from "../model/people.ts";

/** Who is writing. It keeps its height, so that nothing moves when somebody begins. */
export function TypingLine({ names }: { readonly names: readonly string[] }) {
  return (
    <p
      aria-live="off"
      data-typing
      className="h-6 shrink-0 truncate px-4 text-xs text-muted sm:px-8"
    >
      {formatTyping(names)}
    </p>
  );
}
