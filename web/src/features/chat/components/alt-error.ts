import { countCharacters, countingNote } from "@/domain/character-count.ts";
import { maxAltLength } from "../model/message-picture.ts";
import { composerStrings } from "../strings.ts";

/** Why a description cannot be sent; null when it can. */
export function altError(alt: string): string | null {
  return countCharacters(alt.trim()) > maxAltLength
    ? `${composerStrings.altTooLong(maxAltLength)} ${countingNote(alt)}`.trim()
    : null;
}
