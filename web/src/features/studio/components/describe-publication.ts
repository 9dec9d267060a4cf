import { sections, shelfNames } from "@/domain/library-paths.ts";
import type { StudioSubcategory } from "../api/drafts.ts";
import type { DraftKind } from "../model/draft.ts";
import { publicationStrings } from "../strings/actions.ts";

/**
 * What is asked before a draft is published: for whom it opens and when, where it stands, and who is told.
 * @param place where it is published; undefined while none is chosen, or known
 * @param time in words, null for at once
 */
export function describePublication(
  kind: DraftKind,
  place: StudioSubcategory | undefined,
  time: string | null,
): string {
  if (place === undefined) {
    return `${publicationStrings.opens(publicationStrings.noPlace, time)} ${publicationStrings.notTold}`;
  }
  const section = sections[place.category];
  const shelf = shelfNames[kind === "course" ? "courses" : "articles"];
  return [
    publicationStrings.opens(publicationStrings.level(section.level, section.name), time),
    publicationStrings.stands(section.name, shelf, place.name),
    publicationStrings.notTold,
  ].join(" ");
}
