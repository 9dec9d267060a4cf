import { isKeyTaken } from "./is-key-taken.ts";
import { letterKeysWanted } from "@/domain/letter-keys.ts";

/** A letter or sign alone that neither a field nor an open window has a use for, while such keys are on and the page is in sight. */
export function isKeyForPage(event: KeyboardEvent): boolean {
  return (
    !isKeyTaken(event) &&
    letterKeysWanted() &&
    document.querySelector("[data-covers-page]") === null
  );
}
