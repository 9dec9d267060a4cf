import type { Literal, Nodes, Parents, Root, RootContent } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown, type Info, type State } from "mdast-util-to-markdown";
import { parseMarkdown } from "@/domain/library-markdown.ts";
import { withoutTrailing } from "@/lib/without-trailing.ts";

/** Markdown that is written as it stands, among the nodes of a tree. */
export interface Verbatim extends Literal {
  type: "verbatim";
}

declare module "mdast" {
  interface RootContentMap {
    verbatim: Verbatim;
  }
  interface PhrasingContentMap {
    verbatim: Verbatim;
  }
  interface BlockContentMap {
    verbatim: Verbatim;
  }
}

function verbatim(node: Verbatim, _parent: Parents | undefined, _state: State, _info: Info) {
  return node.value;
}
verbatim.peek = (node: Verbatim) => node.value.charAt(0);

/** Markdown of nodes, without a line end at its end. */
export function writeNodes(nodes: readonly RootContent[]): string {
  const root: Root = { type: "root", children: [...nodes] };
  return toMarkdown(root, {
    bullet: "-",
    emphasis: "*",
    rule: "-",
    listItemIndent: "one",
    extensions: [gfmToMarkdown()],
    handlers: { verbatim },
  }).replace(/\n$/u, "");
}

/** A tree without places, with neighbouring texts joined: two texts with the same one say the same. */
function plainTree(node: Nodes): unknown {
  const { position: _position, ...rest } = node;
  if (!("children" in rest)) return rest;
  const children: Record<string, unknown>[] = [];
  for (const child of rest.children) {
    const plain = plainTree(child) as Record<string, unknown>;
    const last = children.at(-1);
    if (plain["type"] === "text" && last?.["type"] === "text") {
      last["value"] = `${String(last["value"])}${String(plain["value"])}`;
    } else children.push(plain);
  }
  // The parser keeps some of the empty lines below a paragraph, depending on what follows.
  const last = children.at(-1);
  if (node.type === "paragraph" && last?.["type"] === "text") {
    last["value"] = withoutTrailing(String(last["value"]), "\n");
  }
  return { ...rest, children };
}

/** What a text says: equal for two texts that the reader shows alike. */
export function meaningOf(markdown: string | Root): string {
  return JSON.stringify(
    plainTree(typeof markdown === "string" ? parseMarkdown(markdown) : markdown),
  );
}

/** What one block says. */
export function blockMeaning(block: RootContent): string {
  return JSON.stringify(plainTree(block));
}
