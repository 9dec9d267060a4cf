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
  const segments = useMemo(() => splitLinks(content), [content]);
  return (
    <p
      data-words
      dir="auto"
      className={classNames(
        "max-w-[72ch] break-words whitespace-pre-wrap [overflow-wrap:anywhere]",
        pending && "opacity-60",
      )}
    >
      {segments.map((segment, index) =>
        segment.kind === "text" ? (
          segment.text
        ) : (
          <a
            key={index}
            href={segment.href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            tabIndex={linksFocusable ? undefined : -1}
            className="underline decoration-[color-mix(in_oklab,currentColor_40%,transparent)] underline-offset-3 hover:decoration-current"
          >
            {segment.text}
          </a>
        ),
      )}
    </p>
  );
}
