import { Square, SquareCheck } from "lucide-react";
import { useEffect, type ComponentProps } from "react";
import Markdown, { type Components } from "react-markdown";
import { Link } from "react-router";
import rehypeSanitize, { defaultSchema, type Options } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import "@/ui/styles/reading.css";
import { calloutKinds, calloutNames } from "@/domain/callouts.ts";
import { contentPictureAddress, toTextPicture } from "@/domain/content-pictures.ts";
import { safeLink } from "@/domain/safe-link.ts";
import { useOptionalBackend } from "@/lib/backend.tsx";
import { contentPictureUrl } from "@/lib/content-picture-url.ts";
import { markCallouts } from "../model/callouts.ts";
import { anchorHeadings } from "../model/outline.ts";
import { readingStrings } from "../strings.ts";

/**
 * What may stand in a text. Raw HTML never becomes elements (no parser for it is loaded), pictures
 * are those of our storage ({@link Picture}), and names that could shadow the page's own are prefixed.
 */
const schema: Options = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter(
    (tag) => !["picture", "source", "details", "summary", "div", "kbd", "var"].includes(tag),
  ),
  protocols: { href: ["https"] },
};

type PropsOf<Tag extends keyof Components> = ComponentProps<
  Extract<Tag, keyof React.JSX.IntrinsicElements>
> & { readonly node?: unknown };

/**
 * A link to elsewhere leaves no trace of where one came from; one within the site is the router's.
 */
function TextLink({ href, children, node: _node, ...rest }: PropsOf<"a">) {
  const link = safeLink(href);
  if (link === null) return <span>{children}</span>;
  if (link.startsWith("#")) {
    const isFootnote = "data-footnote-ref" in rest || "data-footnote-backref" in rest;
    return (
      // Names of footnotes are prefixed like all others.
      <a {...rest} href={isFootnote ? `#user-content-${link.slice(1)}` : link}>
        {children}
      </a>
    );
  }
  if (link.startsWith("/")) return <Link to={link}>{children}</Link>;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

function heading(Tag: "h2" | "h3" | "h4" | "h5" | "h6") {
  return function Heading({ id, className, children }: PropsOf<"h2">) {
    // The one above the footnotes.
    if (className === "sr-only") {
      return (
        <Tag id={id} className="sr-only">
          {children}
        </Tag>
      );
    }
    return (
      <Tag id={id}>
        {children}
        {id === undefined ? null : (
          <a className="heading-anchor" href={`#${id}`} aria-hidden tabIndex={-1}>
            #
          </a>
        )}
      </Tag>
    );
  };
}

/** Wide tables and code scroll by themselves, also with the keyboard. */
function Table({ children }: PropsOf<"table">) {
  return (
    <div
      className="table-frame scroll-edges"
      role="region"
      aria-label={readingStrings.table}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, so the keyboard must reach it.
      tabIndex={0}
    >
      <table>{children}</table>
    </div>
  );
}

function Preformatted({ children }: PropsOf<"pre">) {
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, so the keyboard must reach it.
  return <pre tabIndex={0}>{children}</pre>;
}

/** A quote, or a box that stands out of the text. */
function Quote({ children, node: _node, ...rest }: PropsOf<"blockquote">) {
  const kind = calloutKinds.find(
    (each) => each === (rest as { "data-callout"?: unknown })["data-callout"],
  );
  if (kind === undefined) return <blockquote>{children}</blockquote>;
  return (
    <div role="note" className="callout" data-callout={kind}>
      <p className="callout-name">{calloutNames[kind]}</p>
      {children}
    </div>
  );
}

/** The box of a task is a picture of a box: the text is not a form. */
function TaskBox({ checked }: PropsOf<"input">) {
  const Box = checked === true ? SquareCheck : Square;
  return (
    <>
      <Box aria-hidden className="task-box" />
      <span className="sr-only">
        {checked === true ? readingStrings.taskDone : readingStrings.taskOpen}
      </span>
    </>
  );
}

function Item({ className, children, id }: PropsOf<"li">) {
  return (
    <li id={id} className={className?.includes("task-list-item") === true ? "task" : undefined}>
      {children}
    </li>
  );
}

/**
 * A picture of our own storage, fetched when it comes near, with its place kept free. One of elsewhere would tell its site who reads, so
 * it is left out.
 */
function Picture({ src, alt }: PropsOf<"img">) {
  const backend = useOptionalBackend();
  const picture = toTextPicture(src);
  if (picture === null) return null;
  const address = contentPictureAddress(picture.name);
  return (
    <img
      src={backend === null ? address : (contentPictureUrl(backend.client, address) ?? undefined)}
      alt={alt ?? ""}
      {...picture.size}
      loading="lazy"
      decoding="async"
    />
  );
}

const components: Components = {
  img: Picture,
  blockquote: Quote,
  a: TextLink,
  h2: heading("h2"),
  h3: heading("h3"),
  h4: heading("h4"),
  h5: heading("h5"),
  h6: heading("h6"),
  table: Table,
  pre: Preformatted,
  input: TaskBox,
  li: Item,
};

/** Markdown as elements. Its formatter is fetched with the first text one opens. */
export default function MarkdownText({
  markdown,
  onShown,
}: {
  readonly markdown: string;
  readonly onShown?: (() => void) | undefined;
}) {
  useEffect(() => onShown?.(), [onShown]);
  return (
    <div className="reading">
      <Markdown
        remarkPlugins={[remarkGfm]}
        // The schema prefixes the names.
        remarkRehypeOptions={{ clobberPrefix: "" }}
        rehypePlugins={[[rehypeSanitize, schema], anchorHeadings, markCallouts]}
        urlTransform={(url) => safeLink(url) ?? ""}
        components={components}
      >
        {markdown}
      </Markdown>
    </div>
  );
}
