import { formatTyping } from "./format-typing.ts";

/** Shows who is typing. Its height is fixed, so that the layout does not shift. */
export function TypingLine({ names }: { readonly names: readonly string[] }) {
  return (
    <p
      aria-live="off"
      data-typing
      className="h-6 short:h-4 shrink-0 truncate px-4 text-xs text-muted sm:px-8"
    >
      {formatTyping(names)}
    </p>
  );
}
