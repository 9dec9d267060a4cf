import { useMemo } from "react";
import { classNames } from "@/ui/class-names.ts";
import { splitLinks } from "../model/links.ts";

/** The words of a message: text and safe links, never markup. */
export function MessageText({
  content,
  pending,
  linksFocusable,
}: {
  readonly content: string;
  /** It is still on its way. */
  readonly pending: boolean;
  readonly linksFocusable: boolean;
}) {
  const pieces = useMemo(() => splitLinks(content), [content]);
  return (
    <p
      data-words
      dir="auto"
      className={classNames(
        "max-w-[72ch] break-words whitespace-pre-wrap [overflow-wrap:anywhere]",
        pending && "opacity-60",
      )}
    >
      {pieces.map((piece, index) =>
        piece.kind === "text" ? (
          piece.text
        ) : (
          <a
            key={index}
            href={piece.href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            tabIndex={linksFocusable ? undefined : -1}
            className="underline decoration-[color-mix(in_oklab,currentColor_40%,transparent)] underline-offset-3 hover:decoration-current"
          >
            {piece.text}
          </a>
        ),
      )}
    </p>
  );
}
