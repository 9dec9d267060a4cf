import { maxMessageLength, type DraftCheck } from "../model/draft.ts";
import { composerStrings } from "../strings.ts";

/** Why a text cannot be sent; null for valid and for empty texts. */
export function draftError({ over }: Pick<DraftCheck, "over">): string | null {
  return over === 0 ? null : composerStrings.tooLong(over, maxMessageLength);
}
