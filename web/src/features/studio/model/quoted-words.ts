import { cutToCharacters } from "@/domain/character-count.ts";

/** As many characters as a comment may quote. */
const maxQuoteLength = 500;

/**
 * The words of an element that are selected, at most 500 characters. What is selected beyond the element is dropped from the
 * selection, so that the person sees what is quoted. Empty when nothing in it is selected.
 */
export function takeQuote(within: Element, selection: Selection | null): string {
  if (selection === null || selection.rangeCount === 0) return "";
  const range = selection.getRangeAt(0);
  if (range.collapsed || !range.intersectsNode(within)) return "";
  const startsInside = within.contains(range.startContainer);
  const endsInside = within.contains(range.endContainer);
  if (!startsInside || !endsInside) {
    const clipped = range.cloneRange();
    if (!startsInside) clipped.setStart(within, 0);
    if (!endsInside) clipped.setEnd(within, within.childNodes.length);
    selection.removeAllRanges();
    selection.addRange(clipped);
  }
  return cutToCharacters(selection.toString().trim(), maxQuoteLength);
}
