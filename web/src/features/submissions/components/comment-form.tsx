import { useRef, useState, type FormEvent } from "react";
import { tooLongMessage } from "@/lib/character-count.ts";
import { newId } from "@/lib/uuid.ts";
import { Button } from "@/ui/button.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { maxCommentLength } from "../model/comment.ts";
import { rateLimitMessage } from "../model/rate-limit-message.ts";

const failed = "We couldn't save your comment. Check your connection and try again.";

/** Adds a comment. The text stays in the field until it is saved. */
export function CommentForm({
  title,
  onAdd,
}: {
  readonly title: string;
  readonly onAdd: (id: string, content: string) => Promise<void>;
}) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useRef(newId());
  const content = text.trim();
  const tooLong = tooLongMessage(content, maxCommentLength);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy || content === "" || tooLong !== null) return;
    setBusy(true);
    setProblem(null);
    try {
      await onAdd(id.current, content);
      id.current = newId();
      /* What was typed while the comment was on its way is the beginning of another one. */
      setText((now) => (now.trim() === content ? "" : now));
    } catch (error) {
      console.error("The comment was not saved", error);
      setProblem(rateLimitMessage(error) ?? failed);
    }
    setBusy(false);
  }

  return (
    <form
      noValidate
      aria-label={`Comment on “${title}”`}
      className="grid justify-items-start gap-3"
      onSubmit={(event) => void submit(event)}
    >
      <TextArea
        label="Your comment"
        fieldClassName="w-full"
        className="min-h-20"
        rows={2}
        value={text}
        error={tooLong ?? problem}
        onChange={(event) => {
          setText(event.target.value);
          id.current = newId();
        }}
      />
      <Button
        type="submit"
        variant="secondary"
        loading={busy}
        disabled={content === "" || tooLong !== null}
      >
        Comment
      </Button>
    </form>
  );
}
