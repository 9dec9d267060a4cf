import { toString } from "mdast-util-to-string";
import type { Root } from "mdast";
import { countCharacters, cutToCharacters } from "@/domain/character-count.ts";
import { parseMarkdown } from "@/domain/library-markdown.ts";
import type { DraftContent, DraftKind } from "./draft.ts";

/** Most that publishing takes of an excerpt or a description. */
export const publishedExcerpt: Readonly<Record<DraftKind, number>> = { article: 200, course: 300 };

/** The first words of a text, whole ones, as an excerpt. */
export function firstWords(tree: Root, limit: number): string {
  const paragraph = tree.children.find(
    (node) => node.type === "paragraph" && toString(node, { includeImageAlt: false }).trim() !== "",
  );
  const text =
    paragraph === undefined
      ? ""
      : toString(paragraph, { includeImageAlt: false }).replaceAll(/\s+/g, " ").trim();
  if (countCharacters(text) <= limit) return text;
  const cut = cutToCharacters(text, limit - 1);
  return `${cut.slice(0, cut.lastIndexOf(" ") > limit / 2 ? cut.lastIndexOf(" ") : undefined)}…`;
}

/** An excerpt is made of the beginning of a text; parsing all of a long one at each key would be felt. */
const beginning = 4000;

/** What an excerpt that is left empty becomes: the first words of the article, or of the first lesson that has any. */
export function suggestedExcerpt(
  kind: DraftKind,
  { content, modules }: Pick<DraftContent, "content" | "modules">,
): string {
  const texts = kind === "article" ? [content] : modules.map((module) => module.content);
  for (const text of texts) {
    const words = firstWords(parseMarkdown(text.slice(0, beginning)), publishedExcerpt[kind]);
    if (words !== "") return words;
  }
  return "";
}
