import { SendHorizontal } from "lucide-react";
import {
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type Ref,
} from "react";
import { flushSync } from "react-dom";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import { isFromSearch } from "@/domain/reading-source.ts";
import {
  insertMention,
  MentionPicker,
  mentionOptionId,
  namesEveryone,
  useMentionPicker,
  type Mention,
} from "@/features/mentions/index.ts";
import { systemClock } from "@/lib/clock.ts";
import { transferredFiles } from "@/lib/transferred-files.ts";
import { hasTypedAhead, messageFieldId, takeTypedAhead } from "@/lib/typed-ahead.ts";
import { newId } from "@/lib/uuid.ts";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { isComposing } from "@/ui/composition.ts";
import { footBar } from "@/ui/foot-bar.ts";
import { useInitialFocus } from "@/ui/use-initial-focus.ts";
import { useKeyboardDevice, useRailScreen } from "@/ui/use-wide-screen.ts";
import { chatStrings, composerStrings, placeTexts } from "../strings.ts";
import { checkDraft, restoreText } from "../model/draft.ts";
import { altError } from "./alt-error.ts";
import type { MessageAuthor, Outgoing, Quote } from "../model/message.ts";
import type { Outbox, OutboxState } from "../model/outbox.ts";
import type { MessagePlace } from "../model/message-place.ts";
import { usePictureDraft } from "../use-picture-draft.ts";
import { useRoomDraft } from "../use-room-draft.ts";
import { useTypeToWrite } from "../use-type-to-write.ts";
import { AddPictureButton } from "./add-picture-button.tsx";
import { PictureField } from "./picture-field.tsx";
import { ReplyBanner } from "./reply-banner.tsx";
import { sendsMessage } from "./sends-message.ts";
import { draftError } from "./draft-error.ts";

export interface ComposerHandle {
  readonly focus: () => void;
  /** Adds a picture that was dropped on the conversation. */
  readonly addPicture: (files: readonly File[]) => void;
}

export interface ComposerProps {
  readonly ref: Ref<ComposerHandle>;
  readonly room: MessagePlace;
  readonly self: MessageAuthor;
  readonly outbox: Outbox;
  readonly outgoing: OutboxState;
  readonly reply: Quote | null;
  readonly onReply: (quote: Quote | null) => void;
  readonly onTyping: () => void;
  /** Leads from the empty field to the messages. */
  readonly onUp: () => void;
}

/** The message field. Enter sends, Shift and Enter start a new line, and from the empty field the arrow up leads to the messages. */
export function Composer(props: ComposerProps) {
  const { ref, room, self, outbox, outgoing, reply, onReply, onTyping, onUp } = props;
  const { text, setText, pickedRef } = useRoomDraft(self.id, room.id);
  const [caret, setCaret] = useState(0);
  const draft = usePictureDraft(self.id, room.id);
  const { picture, restore: restorePicture } = draft;
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  // The last rejected message. Sent again unchanged, it keeps its id, because the server may have
  // stored it.
  const cameBack = useRef<Outgoing | null>(null);
  const noteId = useId();
  const listId = useId();
  // Whom one writes to alone needs no naming.
  const mentions = useMentionPicker(room.id, text, caret, room.kind !== "member");
  const texts = placeTexts(room);
  const picking = mentions.options.length > 0;
  const addPicture = (files: readonly File[]) => {
    setProblem(null);
    draft.add(files);
    field.current?.focus();
  };
  // At a desk one opens a conversation to write, and chooses a room in the search to write there; on a phone the keyboard would
  // cover what was written.
  const hasKeyboard = useKeyboardDevice();
  // Not when one comes back to it.
  const isNewPage = useNavigationType() === NavigationType.Push;
  const isChosenBySearch = isFromSearch(useLocation().state) && isNewPage && hasKeyboard;
  const opensToWrite = (useRailScreen() && room.kind === "member") || isChosenBySearch;
  const [isBegun] = useState(hasTypedAhead);
  const takesFocus = opensToWrite || isBegun;
  useInitialFocus();
  // Before the next key, which would come into an empty field.
  useLayoutEffect(() => {
    const begun = takeTypedAhead();
    if (begun === "") return;
    setText((kept) => kept + begun);
    field.current?.focus();
  }, [setText]);
  useTypeToWrite(field);
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus(), addPicture }));

  const check = checkDraft(text);
  const tooLong = draftError(check);
  const busy = outgoing.entries.some(
    ({ message, delivery }) => message.roomId === room.id && delivery === "sending",
  );
  const blocked =
    busy ||
    draft.preparing ||
    (check.empty && picture === null) ||
    tooLong !== null ||
    altError(picture?.alt ?? "") !== null;

  useEffect(() => {
    let gone = false;
    const takeBack = () => {
      const rejected = gone ? [] : outbox.takeRejected(room.id);
      const last = rejected.at(-1);
      if (!last) return;
      cameBack.current = last.message;
      pickedRef.current = [
        ...pickedRef.current,
        ...rejected.flatMap(({ message }) => message.mentions ?? []),
      ];
      setText((typed) =>
        rejected.reduceRight((all, each) => restoreText(each.message.content, all), typed),
      );
      const pictures = rejected.flatMap(({ message }) => message.picture ?? []);
      const returned = pictures.at(-1);
      if (returned) restorePicture(returned);
      const words =
        returned && last.message.content === ""
          ? composerStrings.notSentPicture
          : composerStrings.notSent;
      const lost = pictures.length > 1 ? composerStrings.oneReturned : null;
      setProblem([words, lost, last.reason].filter(Boolean).join(" "));
      if (last.message.quote) onReply(last.message.quote);
    };
    // A message may have been rejected while the member was in another room.
    queueMicrotask(takeBack);
    const unsubscribe = outbox.subscribe(takeBack);
    return () => {
      gone = true;
      unsubscribe();
    };
  }, [outbox, room.id, onReply, setText, pickedRef, restorePicture]);

  function send(): void {
    if (blocked) return;
    const again =
      cameBack.current?.content === check.content &&
      cameBack.current.picture?.file === picture?.file &&
      cameBack.current.picture?.alt === picture?.alt.trim() &&
      cameBack.current.quote?.id === reply?.id &&
      cameBack.current.author.id === self.id;
    outbox.submit({
      id: again && cameBack.current ? cameBack.current.id : newId(),
      roomId: room.id,
      ...(room.kind === "member" && { recipientId: room.id }),
      author: self,
      content: check.content,
      ...(picture && { picture: { ...picture, alt: picture.alt.trim() } }),
      quote: reply,
      mentions: pickedRef.current,
      writtenAt: systemClock.now(),
    });
    // The same text sent again later is a new message.
    cameBack.current = null;
    pickedRef.current = [];
    setText("");
    draft.set(null);
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
    pickedRef.current = [...pickedRef.current, option];
    // At once, so that the caret can be placed in the new text.
    flushSync(() => {
      setText(next.text);
      setCaret(next.caret);
    });
    field.current?.focus();
    field.current?.setSelectionRange(next.caret, next.caret);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (mentions.onKeyDown(event, pick)) return;
    // During IME composition, Escape belongs to the input method.
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Escape" && reply) {
      onReply(null);
      return;
    }
    const held = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (event.key === "ArrowUp" && text === "" && !held) {
      event.preventDefault();
      onUp();
    }
    if (sendsMessage(event)) send();
  }

  function onPaste(event: ClipboardEvent): void {
    const files = transferredFiles(event.clipboardData);
    if (room.kind === "member" || files.length === 0) return;
    event.preventDefault();
    addPicture(files);
  }

  const note = tooLong ?? problem ?? draft.problem;
  return (
    <form
      ref={footBar}
      onSubmit={onSubmit}
      className="relative grid shrink-0 grid-cols-1 gap-2 border-t border-line bg-raised px-3 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6 short:pt-1 short:pb-1"
    >
      {picking ? (
        <MentionPicker
          listId={listId}
          options={mentions.options}
          active={mentions.active}
          onPick={pick}
          className="inset-x-3 max-h-60 sm:inset-x-6"
        />
      ) : null}
      {reply ? <ReplyBanner reply={reply} onCancel={() => onReply(null)} /> : null}
      {picture || draft.preparing ? (
        <PictureField
          picture={draft.preparing ? null : picture}
          onAlt={(alt) => (picture ? draft.set({ ...picture, alt }) : undefined)}
          onRemove={() => {
            draft.set(null);
            field.current?.focus();
          }}
        />
      ) : null}
      <div className="flex items-end gap-2">
        {room.kind === "member" ? null : <AddPictureButton onFiles={addPicture} />}
        <textarea
          ref={field}
          id={messageFieldId}
          data-initial-focus={takesFocus ? "" : undefined}
          rows={1}
          dir="auto"
          aria-autocomplete="list"
          aria-controls={picking ? listId : undefined}
          aria-activedescendant={picking ? mentionOptionId(listId, mentions.active) : undefined}
          aria-label={texts.field}
          aria-describedby={note === null ? undefined : noteId}
          aria-invalid={tooLong === null ? undefined : true}
          placeholder={texts.placeholder}
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
          onPaste={onPaste}
          className="field-sizing-content max-h-40 min-h-11 short:max-h-11 w-full [overflow-wrap:anywhere] min-w-0 grow resize-none rounded-control border border-control-line bg-raised px-3 py-2.5 text-base leading-normal placeholder:truncate placeholder:text-muted max-[22rem]:px-2 hover:border-ink aria-invalid:border-danger"
        />
        <Button
          type="submit"
          variant="accent"
          disabled={blocked}
          // Keeps the focus in the field, or a phone's keyboard would close.
          onPointerDown={(event) => event.preventDefault()}
        >
          <SendHorizontal aria-hidden className="size-4 max-[22rem]:hidden" />
          {composerStrings.send}
        </Button>
      </div>
      {room.kind !== "member" && self.role === "admin" && namesEveryone(check.content) ? (
        <p className="text-sm text-muted">{chatStrings.tellsEveryone}</p>
      ) : null}
      <div
        className={classNames(
          "flex items-start justify-between gap-4 text-sm",
          note === null && check.counter === null && "sr-only",
        )}
      >
        <div>
          <p id={noteId} role="alert" className="text-danger">
            {note}
          </p>
          <p className="text-muted">{check.countingNote}</p>
        </div>
        {check.counter ? (
          <p className={classNames("tabular shrink-0", tooLong ? "text-danger" : "text-muted")}>
            <span className="sr-only">{composerStrings.characters}</span>
            {check.counter}
          </p>
        ) : null}
      </div>
    </form>
  );
}
