import { countCharacters } from "@/domain/character-count.ts";
import { markWords } from "@/lib/mark-words.ts";

/** As many characters of what members write of themselves as the list gets (`private.people_page`). */
const bioSent = 300;
/** Words shown before the first that was found, and of all. */
const wordsBefore = 4;
const wordsShown = 14;

const hasHit = (text: string, query: string) => markWords(text, query).some(({ isHit }) => isHit);

/** The part of a text around the first word that was searched for; undefined where none is. */
function partAround(text: string, query: string): string | undefined {
  const words = text.trim().split(/\s+/);
  const first = words.findIndex((word) => hasHit(word, query));
  if (first === -1) return undefined;
  const start = Math.max(0, first - wordsBefore);
  const shown = words.slice(start, start + wordsShown).join(" ");
  const isCut = start + wordsShown < words.length || countCharacters(text) >= bioSent;
  return `${start > 0 ? "…" : ""}${shown}${isCut ? "…" : ""}`;
}

/** Where a member mentions the words: the topics that have one, else a part of what they wrote of themselves. */
export function memberMention(
  { topics, bio }: { readonly topics: readonly string[]; readonly bio: string },
  query: string,
): string | undefined {
  const found = topics.filter((topic) => hasHit(topic, query));
  return found.length > 0 ? found.join(", ") : partAround(bio, query);
}
