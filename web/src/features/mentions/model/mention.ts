/** A member picked for a text. The text holds `@` and the name, the id says who is meant. */
export interface Mention {
  /** Null for everyone who may read the room. */
  readonly id: string | null;
  readonly name: string;
}

/** What administrators write after `@` to tell everyone who may read a room. */
export const everyone: Mention = { id: null, name: "everyone" };

/** Letters, and what keyboards and phones write for an apostrophe or a hyphen. Some scripts join letters invisibly. */
const nameCharacters = String.raw`[\p{L}\p{M}'‘’‛ʻʼ′´\u0060\u200C\u200D‐‑–-]`;
const typedName = new RegExp(`(?:^|\\s)@(${nameCharacters}+(?: ${nameCharacters}*)?)$`, "u");

/** The name being typed after `@`, as far as the caret; null outside of one. */
export function typedMention(text: string, caret: number): { at: number; typed: string } | null {
  const found = typedName.exec(text.slice(0, caret));
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

/** Whether a text notifies everyone, as the database sees it. */
export function namesEveryone(text: string): boolean {
  return /(?<![\p{L}\p{N}_@])@everyone(?![\p{L}\p{N}_])/u.test(text);
}

/** The ids of the picked members whose names still stand in the text, each once. */
export function mentionedIds(text: string, picked: readonly Mention[]): readonly string[] {
  const kept = picked.filter(({ name }) => text.includes(`@${name}`)).map(({ id }) => id);
  return [...new Set(kept)].filter((id) => id !== null);
}
