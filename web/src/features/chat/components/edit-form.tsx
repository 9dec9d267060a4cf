import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import { Button } from "@/ui/button.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { checkDraft } from "../model/draft.ts";
import type { ChatMessage } from "../model/message.ts";
import type { MessageActions } from "../use-message-actions.tsx";

/** Edits the member's own message. Enter saves, Escape cancels. */
export function EditForm({
  message,
  actions,
}: {
  readonly message: ChatMessage;
  readonly actions: MessageActions;
}) {
  const [text, setText] = useState(message.content);
  const [state, setState] = useState<"idle" | "saving" | "failed">("idle");
  const check = checkDraft(text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(message.content.length, message.content.length);
  }, [message.content.length]);

  async function save(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    if (check.empty || check.error !== null || state === "saving") return;
    setState("saving");
    if (!(await actions.saveEdit(message, check.content))) setState("failed");
  }

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape") actions.edit(null);
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void save();
  }

  return (
    <form className="grid grid-cols-1 gap-2 py-1" onSubmit={(event) => void save(event)}>
      <TextArea
        label="Edit your message"
        ref={field}
        dir="auto"
        rows={2}
        className="max-h-60 min-h-16"
        value={text}
        error={
          check.error ??
          (state === "failed" ? "We couldn't save your change. Please try again." : undefined)
        }
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex gap-2">
        <Button
          type="submit"
          size="sm"
          loading={state === "saving"}
          disabled={check.empty || check.error !== null}
        >
          Save
        </Button>
        <Button variant="quiet" size="sm" onClick={() => actions.edit(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
