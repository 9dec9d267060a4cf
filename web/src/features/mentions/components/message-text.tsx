import { Fragment, useMemo, type ReactNode } from "react";
import { Link } from "react-router";
import { stateOfSource } from "@/domain/reading-source.ts";
import { MemberName } from "@/features/people/index.ts";
import type { MessageBlock, MessageInline } from "@/lib/markdown-nodes.ts";
import { parseMessage } from "@/lib/message-markdown.ts";
import { classNames } from "@/ui/class-names.ts";
import { pathInApp } from "../model/path-in-app.ts";
import { splitMentions, type NamedMember } from "../model/split-mentions.ts";

interface TextContext {
  readonly linksFocusable: boolean;
  readonly named: readonly NamedMember[];
}

export interface MessageTextProps extends Partial<TextContext> {
  readonly content: string;
  /** It is still on its way. */
  readonly pending?: boolean | undefined;
}

const nobody: readonly NamedMember[] = [];

/** A text that a member wrote, with its light Markdown and the names it holds. Other markup is shown as text. */
export function MessageText({
  content,
  pending = false,
  linksFocusable = true,
  named = nobody,
}: MessageTextProps) {
  const blocks = useMemo(() => parseMessage(content), [content]);
  return (
    <div
      data-words
      dir="auto"
      className={classNames(
        "grid max-w-prose grid-cols-1 gap-1.5 break-words [overflow-wrap:anywhere]",
        pending && "opacity-60",
      )}
    >
      <Blocks blocks={blocks} context={{ linksFocusable, named }} />
    </div>
  );
}

function Blocks({
  blocks,
  context,
}: {
  readonly blocks: readonly MessageBlock[];
  readonly context: TextContext;
}) {
  return blocks.map((block, index) => {
    if (block.kind === "code") {
      return (
        <pre
          key={index}
          dir="ltr"
          className="my-0.5 rounded-control border border-line bg-sunken px-3 py-2 font-mono text-sm whitespace-pre-wrap"
        >
          <code>{block.text}</code>
        </pre>
      );
    }
    if (block.kind === "list") {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List
          key={index}
          className={classNames(
            "grid grid-cols-1 gap-0.5",
            block.ordered ? "list-decimal ps-8" : "list-disc ps-5",
          )}
        >
          {block.items.map((item, place) => (
            <li key={place} value={item.number ?? undefined}>
              <Blocks blocks={item.blocks} context={context} />
            </li>
          ))}
        </List>
      );
    }
    return (
      <p key={index} className="whitespace-pre-wrap">
        <Inlines inlines={block.children} context={context} />
      </p>
    );
  });
}

function Inlines({
  inlines,
  context,
}: {
  readonly inlines: readonly MessageInline[];
  readonly context: TextContext;
}) {
  return inlines.map((inline, index) => {
    if (inline.kind === "text") return <Words key={index} text={inline.text} context={context} />;
    if (inline.kind === "code") {
      return (
        <code
          key={index}
          className="rounded-sm border border-line bg-sunken box-decoration-clone px-1 py-px font-mono text-[0.9em]"
        >
          {inline.text}
        </code>
      );
    }
    // A link holds no other link.
    const inner = inline.kind === "link" ? { ...context, named: nobody } : context;
    const children = <Inlines inlines={inline.children} context={inner} />;
    if (inline.kind === "strong") return <strong key={index}>{children}</strong>;
    if (inline.kind === "emphasis") return <em key={index}>{children}</em>;
    const shared = {
      tabIndex: context.linksFocusable ? undefined : -1,
      className:
        "underline decoration-[color-mix(in_oklab,currentColor_40%,transparent)] underline-offset-3 hover:decoration-current",
    };
    const path = pathInApp(inline.href);
    if (path !== null) {
      return (
        <Link key={index} to={path} state={stateOfSource("room")} {...shared}>
          {children}
        </Link>
      );
    }
    return (
      <a
        key={index}
        href={inline.href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        {...shared}
      >
        {children}
      </a>
    );
  });
}

/** Plain words, and the members named in them. */
function Words({
  text,
  context: { named, linksFocusable },
}: {
  readonly text: string;
  readonly context: TextContext;
}): ReactNode {
  if (named.length === 0) return text;
  return splitMentions(text, named).map((part, index) => {
    if (typeof part === "string") return <Fragment key={index}>{part}</Fragment>;
    const { name, memberId, isYou } = part;
    return (
      <span
        key={index}
        data-mention={isYou ? "you" : "other"}
        className={classNames(
          "rounded-sm box-decoration-clone px-0.5 font-medium",
          isYou
            ? "bg-[color-mix(in_oklab,var(--accent)_22%,transparent)] font-semibold"
            : "bg-[color-mix(in_oklab,var(--ink)_8%,transparent)]",
        )}
      >
        @
        {memberId === null ? (
          <bdi>{name}</bdi>
        ) : (
          <MemberName id={memberId} name={name} {...(linksFocusable ? {} : { tabIndex: -1 })} />
        )}
      </span>
    );
  });
}
