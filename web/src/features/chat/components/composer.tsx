import { SendHorizontal, X } from "lucide-react";
import {
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type Ref,
} from "react";
import { flushSync } from "react-dom";
import { systemClock } from "@/lib/clock.ts";
import { newId } from "@/lib/uuid.ts";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { chatStrings } from "../strings.ts";
import { checkDraft, restoreText } from "../model/draft.ts";
import { insertMention, keptMentions } from "../model/mention.ts";
import type { Mention, MessageAuthor, Outgoing, Quote } from "../model/message.ts";
import type { Outbox, OutboxState } from "../model/outbox.ts";
import type { Room } from "../model/room.ts";
import { useMentions } from "../use-mentions.ts";
import { MentionPicker, mentionOptionId } from "./mention-picker.tsx";

export interface ComposerHandle {
  readonly focus: () => void;
}

export interface ComposerProps {
  readonly ref: Ref<ComposerHandle>;
  readonly room: Room;
  readonly self: MessageAuthor;
  readonly outbox: Outbox;
  readonly outgoing: OutboxState;
  readonly reply: Quote | null;
  readonly onReply: (quote: Quote | null) => void;
  readonly onTyping: () => void;
}

/** The message field. Enter sends, Shift and Enter start a new line. */
export function Composer(props: ComposerProps) {
  const { ref, room, self, outbox, outgoing, reply, onReply, onTyping } = props;
  const [text, setText] = useState("");
  const [caret, setCaret] = useState(0);
  const picked = useRef<readonly Mention[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  /* The last rejected message. Sent again unchanged, it keeps its id, because the server may have
     stored it. */
  const cameBack = useRef<Outgoing | null>(null);
  const noteId = useId();
  const listId = useId();
  const mentions = useMentions(room.id, text, caret);
  const picking = mentions.options.length > 0;
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }), []);

  const check = checkDraft(text);
  const busy = outgoing.entries.some(
    ({ message, delivery }) => message.roomId === room.id && delivery === "sending",
  );
  const blocked = busy || check.empty || check.error !== null;

  useEffect(() => {
    let gone = false;
    const takeBack = () => {
      const rejected = gone ? [] : outbox.takeRejected(room.id);
      const last = rejected.at(-1);
      if (!last) return;
      cameBack.current = last.message;
      picked.current = [
        ...picked.current,
        ...rejected.flatMap(({ message }) => message.mentions ?? []),
      ];
      setText((typed) =>
        rejected.reduceRight((all, each) => restoreText(each.message.content, all), typed),
      );
      setProblem([chatStrings.notSent, last.reason].filter(Boolean).join(" "));
      if (last.message.quote) onReply(last.message.quote);
    };
    /* A message may have been rejected while the member was in another room. */
    queueMicrotask(takeBack);
    const unsubscribe = outbox.subscribe(takeBack);
    return () => {
      gone = true;
      unsubscribe();
    };
  }, [outbox, room.id, onReply]);

  function send(): void {
    if (blocked) return;
    const again =
      cameBack.current?.content === check.content &&
      cameBack.current.quote?.id === reply?.id &&
      cameBack.current.author.id === self.id;
    outbox.submit({
      id: again && cameBack.current ? cameBack.current.id : newId(),
      roomId: room.id,
      author: self,
      content: check.content,
      quote: reply,
      mentions: keptMentions(check.content, picked.current),
      writtenAt: systemClock.now(),
    });
    /* The same text sent again later is a new message. */
    cameBack.current = null;
    picked.current = [];
    setText("");
    setProblem(null);
    onReply(null);
    field.current?.focus();
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    send();
  }

  function pick(option: Mention): void {
    if (!mentions.typed) return;
    const next = insertMention(text, caret, mentions.typed.at, option);
    picked.current = [...picked.current, option];
    /* At once, so that the caret can be placed in the new text. */
    flushSync(() => {
      setText(next.text);
      setCaret(next.caret);
    });
    field.current?.focus();
    field.current?.setSelectionRange(next.caret, next.caret);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (mentions.onKeyDown(event, pick)) return;
    if (event.key === "Escape" && reply) {
      onReply(null);
      return;
    }
    /* During IME composition, Enter belongs to the input method. */
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  const note = check.error ?? problem;
  return (
    <form
      onSubmit={onSubmit}
      className="relative grid shrink-0 grid-cols-1 gap-2 border-t border-line bg-raised px-3 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6"
    >
      {picking ? (
        <MentionPicker
          listId={listId}
          options={mentions.options}
          active={mentions.active}
          onPick={pick}
        />
      ) : null}
      {reply ? <ReplyBanner reply={reply} onCancel={() => onReply(null)} /> : null}
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          aria-autocomplete="list"
          aria-controls={picking ? listId : undefined}
          aria-activedescendant={picking ? mentionOptionId(listId, mentions.active) : undefined}
          aria-label={`Message in ${room.name}`}
          aria-describedby={note === null ? undefined : noteId}
          aria-invalid={check.error === null ? undefined : true}
          placeholder={`Message ${room.name}`}
          enterKeyHint="send"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setCaret(event.target.selectionStart);
            setProblem(null);
            if (event.target.value.trim() !== "") onTyping();
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-40 min-h-11 w-full [overflow-wrap:anywhere] min-w-0 grow resize-none rounded-control border border-control-line bg-raised px-3 py-2.5 text-base leading-normal placeholder:text-muted hover:border-ink aria-invalid:border-danger"
        />
        <Button
          type="submit"
          variant="accent"
          disabled={blocked}
          /* Keeps the focus in the field, or a phone's keyboard would close. */
          onPointerDown={(event) => event.preventDefault()}
        >
          <SendHorizontal aria-hidden className="size-4" />
          Send
        </Button>
      </div>
      <div
        className={classNames(
          "flex items-start justify-between gap-4 text-sm",
          note === null && check.counter === null && "sr-only",
        )}
      >
        <p id={noteId} role="alert" className="text-danger">
          {note}
        </p>
        {check.counter ? (
          <p className={classNames("tabular shrink-0", check.error ? "text-danger" : "text-muted")}>
            <span className="sr-only">Characters: </span>
            {check.counter}
          </p>
        ) : null}
      </div>
    </form>
  );
}

function ReplyBanner({
  reply,
  onCancel,
}: {
  readonly reply: Quote;
  readonly onCancel: () => void;
}) {
  return (
    <div className="flex items-center gap-3 rounded-control border-l-3 border-accent bg-sunken py-1 pr-1 pl-3 text-sm">
      <p className="min-w-0 grow truncate">
        <span className="text-muted">Replying to </span>
        <bdi className="font-medium">{reply.author}</bdi>
        <span className="text-muted" dir="auto">
          {" "}
          · {reply.content}
        </span>
      </p>
      <Button variant="quiet" size="sm" onClick={onCancel}>
        <X aria-hidden className="size-4" />
        Cancel
      </Button>
    </div>
  );
}
