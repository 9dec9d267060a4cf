import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import {
  mentionedIds,
  MentionTextArea,
  namesEveryone,
  type Mention,
} from "@/features/mentions/index.ts";
import { Button } from "@/ui/button.tsx";
import { useFocusAfter } from "@/ui/use-focus-after.ts";
import { isComposing } from "@/ui/composition.ts";
import { checkDraft } from "../model/draft.ts";
import type { ChatMessage } from "../model/message.ts";
import { captionOf } from "../model/message-picture.ts";
import { chatMessageStrings, chatStrings } from "../strings.ts";
import type { MessageActions } from "../use-message-actions.tsx";
import { draftError } from "./draft-error.ts";

/** Edits the member's own message. Enter saves, Escape cancels; the focus goes back to the message. */
export function EditForm({
  message,
  actions,
}: {
  readonly message: ChatMessage;
  readonly actions: MessageActions;
}) {
  const caption = captionOf(message);
  const [text, setText] = useState(caption);
  const [state, setState] = useState<"idle" | "saving" | "failed">("idle");
  const check = checkDraft(text);
  const tooLong = draftError(check);
  // A picture may stand alone.
  const unusable = (check.empty && message.picture === null) || tooLong !== null;
  const picked = useRef<readonly Mention[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useFocusAfter<HTMLFormElement>(() =>
    document.querySelector<HTMLElement>(`article[data-message="${message.id}"]`),
  );
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(caption.length, caption.length);
  }, [caption.length]);

  async function save(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    if (unusable || state === "saving") return;
    setState("saving");
    if (
      !(await actions.saveEdit(message, check.content, mentionedIds(check.content, picked.current)))
    )
      setState("failed");
  }

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Escape") actions.edit(null);
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    void save();
  }

  return (
    <form ref={form} className="grid grid-cols-1 gap-2 py-1" onSubmit={(event) => void save(event)}>
      <MentionTextArea
        label={chatMessageStrings.editLabel}
        room={actions.roomId}
        offered={actions.canMention}
        onPick={(member) => {
          picked.current = [...picked.current, member];
        }}
        ref={field}
        dir="auto"
        rows={2}
        className="max-h-60 min-h-16"
        value={text}
        error={tooLong ?? (state === "failed" ? chatMessageStrings.editFailed : undefined)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {actions.announces && namesEveryone(check.content) ? (
        <p className="text-sm text-muted">{chatStrings.tellsEveryone}</p>
      ) : null}
      <div className="flex gap-2">
        <Button type="submit" size="sm" loading={state === "saving"} disabled={unusable}>
          {chatMessageStrings.editSave}
        </Button>
        <Button variant="quiet" size="sm" onClick={() => actions.edit(null)}>
          {chatStrings.cancel}
        </Button>
      </div>
    </form>
  );
}
