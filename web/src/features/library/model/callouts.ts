import { readCallout } from "@/domain/callouts.ts";
import type { TextNode } from "./outline.ts";

/** A step of the text's way to the page: a quote that begins with a marker becomes a callout of that kind. */
export function markCallouts() {
  return (tree: TextNode): void => mark(tree);
}

function mark(node: TextNode): void {
  for (const child of node.children ?? []) mark(child);
  if (node.tagName !== "blockquote") return;
  const paragraph = node.children?.find(({ type }) => type === "element");
  const words = paragraph?.tagName === "p" ? paragraph.children?.[0] : undefined;
  if (!paragraph || words?.type !== "text") return;
  const callout = readCallout(words.value ?? "");
  if (callout === null) return;
  node.properties = { ...node.properties, dataCallout: callout.kind };
  words.value = callout.rest;
  const isEmpty = callout.rest.trim() === "" && paragraph.children?.length === 1;
  if (isEmpty) node.children = node.children?.filter((child) => child !== paragraph) ?? [];
}
