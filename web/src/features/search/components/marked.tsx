import { markWords } from "@/lib/mark-words.ts";

/** A text with the words that are searched for. */
export function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  return markWords(text, query).map((piece, place) =>
    piece.isHit ? (
      <mark
        // oxlint-disable-next-line react/no-array-index-key -- The pieces of a text have only their place.
        key={place}
        className="bg-transparent font-semibold text-inherit underline decoration-2 underline-offset-2"
      >
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
