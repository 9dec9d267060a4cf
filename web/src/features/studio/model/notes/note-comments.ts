import { visit } from "unist-util-visit";
import { cutToCharacters } from "@/domain/character-count.ts";
import { parseNote } from "./note-markdown.ts";
import { sourceRangeOf } from "./note-surroundings.ts";
import type { NoteMessage } from "./note-message.ts";

const markPattern = /(?<!\\)%%/g;
const markLength = "%%".length;

/** Places of `%%` in words; code and addresses have none. */
function marksIn(body: string): number[] {
  const marks: number[] = [];
  visit(parseNote(body), "text", (node) => {
    const { start, end } = sourceRangeOf(node);
    for (const { index } of body.slice(start, end).matchAll(markPattern)) marks.push(start + index);
  });
  return marks;
}

/** Whether a comment goes from one mark to another: within a paragraph, or over lines that begin and end with them. */
function isComment(body: string, open: number, close: number): boolean {
  const after = body.slice(close + markLength);
  if (!/(?:^|\s)$/.test(body.slice(0, open)) || !/^(?:\s|$)/.test(after)) return false;
  const inside = body.slice(open + markLength, close);
  if (inside.trim() === "") return false;
  const isParagraph = !/\n[ \t>]*\n/.test(inside);
  const isBlock = /(?:^|\n)[ \t>]*$/.test(body.slice(0, open)) && /^[ \t]*(?:\n|$)/.test(after);
  return isParagraph || isBlock;
}

/**
 * A text without what Obsidian hides, `%%like this%%`, also over many lines: nobody else was to read it. Its lines stay, so
 * that each keeps its number.
 * @param tell says at a place of the text what was left out.
 */
export function withoutComments(
  body: string,
  tell: (offset: number, message: NoteMessage) => void,
): string {
  if (!body.includes("%%")) return body;
  const marks = marksIn(body);
  const parts: string[] = [];
  let place = 0;
  for (const [index, open] of marks.entries()) {
    if (open < place) continue;
    const close = marks.slice(index + 1).find((each) => isComment(body, open, each));
    if (close === undefined) continue;
    const words = body.slice(open + markLength, close);
    tell(open, ["comment", cutToCharacters(words.replaceAll(/\n[\s>]*/g, " ").trim(), 100)]);
    const lines = words.split("\n").slice(1);
    // The signs of a quote stay before what comes after.
    const kept = lines.map((line) => `\n${/^[ \t>]*/.exec(line)?.[0] ?? ""}`);
    parts.push(body.slice(place, open), ...kept);
    const [space = ""] = /^[ \t]*/.exec(body.slice(close + markLength)) ?? [];
    place = close + markLength + space.length;
  }
  return parts.join("") + body.slice(place);
}
