import { useMemo } from "react";
import { classNames } from "@/ui/class-names.ts";
import { splitLinks } from "../model/links.ts";

/** The text of a message with safe links. Markup is shown as text. */
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
