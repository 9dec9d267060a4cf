import { brand } from "@/domain/brand.ts";

/** As much of a node of the text's tree as is looked at here. */
export interface TextNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: TextNode[];
}

function textOf(node: TextNode): string {
  return node.value ?? (node.children ?? []).map(textOf).join("");
}

/** `Pay yourself first!` → `pay-yourself-first`; never empty. */
export function anchorOf(title: string): string {
  const words = title
    .toLocaleLowerCase(brand.locale)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  return words === "" ? "section" : words;
}

/**
 * A step of the text's way to the page: every heading gets an anchor of its own, with a prefix
 * that keeps it apart from the page's own names, and the one `h1` stays the page's.
 */
export function anchorHeadings() {
  return (tree: TextNode): void => {
    const taken = new Map<string, number>();
    for (const node of tree.children ?? []) {
      const level = /^h([1-6])$/.exec(node.tagName ?? "")?.[1];
      if (level === undefined) continue;
      if (level === "1") node.tagName = "h2";
      const anchor = anchorOf(textOf(node));
      const before = taken.get(anchor) ?? 0;
      taken.set(anchor, before + 1);
      const id = before === 0 ? `s-${anchor}` : `s-${anchor}-${before + 1}`;
      node.properties = { ...node.properties, id };
    }
  };
}
