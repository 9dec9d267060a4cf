import { useId, useState, type RefObject } from "react";
import { Button } from "@/ui/button.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import type { ReviewComment } from "../api/draft-actions.ts";
import { takeQuote } from "../model/quoted-words.ts";
import { reviewCommentStrings } from "../strings/review.ts";

/** Takes a comment on a draft, with the words of its text that are selected. */
export function ReviewCommentForm({
  textRef,
  written,
  onWrite,
  onAdd,
}: {
  /** The text of the draft: only its words are quoted. */
  readonly textRef: RefObject<HTMLElement | null>;
  /** What was written so far. */
  readonly written: ReviewComment;
  readonly onWrite: (written: ReviewComment) => void;
  readonly onAdd: (comment: ReviewComment) => void;
}) {
  const { quote, comment } = written;
  const [nothingSelected, setNothingSelected] = useState(false);
  const titleId = useId();
  function takeSelected() {
    const words = textRef.current ? takeQuote(textRef.current, document.getSelection()) : "";
    setNothingSelected(words === "");
    // A quote that was taken stays until other words are.
    if (words !== "") onWrite({ comment, quote: words });
  }
  return (
    <form
      aria-labelledby={titleId}
      className="grid grid-cols-1 gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (comment.trim() === "") return;
        onAdd({ quote, comment: comment.trim() });
        setNothingSelected(false);
      }}
    >
      <h3 id={titleId} className="font-medium">
        {reviewCommentStrings.title}
      </h3>
      <Button
        size="sm"
        variant="secondary"
        className="justify-self-start"
        // Pressing a button would otherwise end the selection it takes over.
        onMouseDown={(event) => event.preventDefault()}
        onClick={takeSelected}
      >
        {reviewCommentStrings.quote}
      </Button>
      <p role="status" className={nothingSelected ? "text-sm text-danger" : "sr-only"}>
        {nothingSelected ? reviewCommentStrings.nothingSelected : ""}
      </p>
      {quote === "" ? null : (
        <blockquote className="border-l-2 border-control-line pl-3 text-sm wrap-anywhere text-muted">
          {quote}
        </blockquote>
      )}
      {quote === "" ? null : (
        <Button
          size="sm"
          variant="quiet"
          className="-ml-3 justify-self-start"
          onClick={() => onWrite({ comment, quote: "" })}
        >
          {reviewCommentStrings.removeQuote}
        </Button>
      )}
      <TextArea
        label={reviewCommentStrings.comment}
        rows={3}
        maxLength={2000}
        value={comment}
        onChange={(event) => onWrite({ quote, comment: event.target.value })}
      />
      <Button type="submit" size="sm" variant="secondary" className="justify-self-start">
        {reviewCommentStrings.add}
      </Button>
    </form>
  );
}
