import type { Mention } from "./message.ts";

/** The name being typed after `@`, as far as the caret; null outside of one. */
export function typedMention(text: string, caret: number): { at: number; typed: string } | null {
  const found = /(?:^|\s)@([\p{L}\p{M}'’-]+(?: [\p{L}\p{M}'’-]*)?)$/u.exec(text.slice(0, caret));
  const typed = found?.[1];
  return typed === undefined ? null : { at: caret - typed.length - 1, typed };
}

/** Puts the picked name in place of what was typed. @returns the text and where the caret goes. */
export function insertMention(
  text: string,
  caret: number,
  at: number,
  { name }: Mention,
): { text: string; caret: number } {
  const before = `${text.slice(0, at)}@${name} `;
  return { text: before + text.slice(caret).replace(/^ /, ""), caret: before.length };
}

/** The picked members whose names still stand in the text, each once. */
export function keptMentions(text: string, picked: readonly Mention[]): readonly Mention[] {
  return [...new Map(picked.map((each) => [each.id, each])).values()].filter(({ name }) =>
    text.includes(`@${name}`),
  );
}
