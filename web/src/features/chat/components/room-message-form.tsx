import { useRef, useState } from "react";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import { displayName, useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { Button } from "@/ui/button.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { sendMessage } from "../api/send-message.ts";
import { checkDraft, maxMessageLength } from "../model/draft.ts";
import { composerStrings } from "../strings.ts";
import { useRoomDraft } from "../use-room-draft.ts";
import { sendsMessage } from "./sends-message.ts";

export interface RoomMessageFormProps {
  readonly roomId: string;
  readonly label: string;
  readonly hint: string;
  /** The message was stored, with these words. */
  readonly onSent: (content: string) => void;
}

/** Sends one message to a room from another page. What is typed is the room's draft: it stands in its message field as well. */
export function RoomMessageForm(props: RoomMessageFormProps) {
  const { user } = useSession();
  return user === null ? null : <MessageForm userId={user.id} {...props} />;
}

function MessageForm({
  userId,
  roomId,
  label,
  hint,
  onSent,
}: RoomMessageFormProps & { readonly userId: string }) {
  const { client } = useBackend();
  const { user, profile, role } = useSession();
  const { text, setText, clear } = useRoomDraft(userId, roomId);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  // The same text is sent under the same id, so that a lost answer makes no second message.
  const attempt = useRef({ id: "", content: "" });
  const { content, empty, over } = checkDraft(text);

  async function send() {
    if (busy || empty || over > 0) return;
    if (attempt.current.content !== content) attempt.current = { id: crypto.randomUUID(), content };
    setBusy(true);
    setProblem(undefined);
    try {
      await sendMessage(client, {
        id: attempt.current.id,
        roomId,
        content,
        quote: null,
        writtenAt: systemClock.now(),
        author: {
          id: userId,
          name: displayName(profile, user?.email ?? unnamedMember),
          role,
          occupation: profile?.occupation ?? "",
          avatarUrl: profile?.avatarUrl ?? null,
        },
      });
      clear();
      onSent(content);
    } catch (error) {
      console.error("The message could not be sent", error);
      setProblem(retryLaterMessage(error) ?? composerStrings.notSentHere);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      className="grid grid-cols-1 gap-3"
    >
      {/* One line that grows with its words: once they are sent, they take about as much. */}
      <TextArea
        label={label}
        hint={hint}
        rows={1}
        className="max-h-35 min-h-11 resize-none"
        value={text}
        maxLength={maxMessageLength}
        error={problem}
        enterKeyHint="send"
        onKeyDown={(event) => {
          if (sendsMessage(event)) void send();
        }}
        onChange={(event) => setText(event.target.value)}
      />
      <Button
        type="submit"
        variant="accent"
        className="justify-self-start"
        loading={busy}
        disabled={empty || over > 0}
      >
        {composerStrings.send}
      </Button>
    </form>
  );
}
