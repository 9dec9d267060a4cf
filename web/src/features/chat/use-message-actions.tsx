import { useMemo, useState, type ReactNode } from "react";
import { paths } from "@/domain/paths.ts";
import { ReportDialog, useExplanation } from "@/features/moderation/index.ts";
import { useSession, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import type { BackendClient } from "@/lib/backend-client.ts";
import { retryLaterMessage, toAppError } from "@/lib/errors.ts";
import { copyAddress } from "@/ui/copy-text.ts";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";
import { deleteMessage } from "./api/delete-message.ts";
import { editMessage } from "./api/edit-message.ts";
import { setPinned } from "./api/pins.ts";
import { chatMessageStrings, chatStrings } from "./strings.ts";
import type { Conversation } from "./model/conversation.ts";
import type { ChatMessage } from "./model/message.ts";
import { captionOf } from "./model/message-picture.ts";
import type { MessagePlace } from "./model/message-place.ts";
import type { Reaction } from "./model/reactions.ts";
import { ReactorsDialog } from "./components/reactors-dialog.tsx";

/** What can be done with messages; what is absent is not offered. The same object as long as one is in the room. */
export interface MessageActions {
  /** Null where messages are not liked. */
  readonly like: ((id: string) => void) | null;
  readonly reply: (message: ChatMessage) => void;
  /** Null where a message has no address. */
  readonly copyLink: ((id: string) => void) | null;
  /** Begins to edit a message; null ends it. */
  readonly edit: (id: string | null) => void;
  /** Resolves to whether the change was saved. */
  readonly saveEdit: (
    message: ChatMessage,
    content: string,
    mentioned: readonly string[],
  ) => Promise<boolean>;
  readonly roomId: string;
  readonly canMention: boolean;
  /** `@everyone` in the member's own message notifies all readers of the room. */
  readonly announces: boolean;
  readonly remove: (message: ChatMessage) => void;
  readonly report: (message: ChatMessage) => void;
  readonly canDeleteAny: boolean;
  /** Gives a reaction or takes it back. */
  readonly react?: (id: string, reaction: Reaction) => void;
  readonly showReactors?: (message: ChatMessage) => void;
  /** Pins a message to the room, or takes it down. */
  readonly pin?: (message: ChatMessage, pinned: boolean) => void;
}

/** The calls that change a message. Each throws the database's error. */
export interface MessageCalls {
  readonly edit: (
    client: BackendClient,
    messageId: string,
    content: string,
    mentioned: readonly string[],
  ) => Promise<void>;
  /** `explanation` is why an administrator takes it away from another member; null for one's own. */
  readonly remove: (
    client: BackendClient,
    messageId: string,
    explanation: string | null,
  ) => Promise<void>;
}

const roomCalls: MessageCalls = {
  edit: editMessage,
  remove: deleteMessage,
};

/** The actions of a room or a conversation with a member, and the windows some of them need. */
export function useMessageActions({
  room,
  conversation,
  onReply,
  calls = roomCalls,
  onPinned,
}: {
  readonly room: MessagePlace;
  readonly conversation: Conversation;
  readonly onReply: (message: ChatMessage) => void;
  readonly calls?: MessageCalls;
  /** A message was pinned or taken down; absent where nothing is pinned. */
  readonly onPinned?: () => void;
}): {
  readonly actions: MessageActions;
  readonly editingId: string | null;
  readonly dialogs: ReactNode;
} {
  const { client } = useBackend();
  const { role } = useSession();
  const userId = useUserId();
  const isDirect = room.kind === "member";
  const [editingId, setEditingId] = useState<string | null>(null);
  const [removing, setRemoving] = useState<ChatMessage | null>(null);
  const [busy, setBusy] = useState(false);
  const explanation = useExplanation();
  const beginExplanation = explanation.begin;
  const isOthers = removing !== null && removing.authorId !== userId;
  const [reporting, setReporting] = useState<ChatMessage | null>(null);
  const [reactedTo, setReactedTo] = useState<ChatMessage | null>(null);

  const actions = useMemo<MessageActions>(
    () => ({
      like: isDirect ? null : conversation.toggleLike,
      reply: onReply,
      copyLink: isDirect
        ? null
        : (id) =>
            void copyAddress(`${paths.chats}/${room.id}#${id}`, chatMessageStrings.linkCopied),
      edit: setEditingId,
      roomId: room.id,
      canMention: !isDirect,
      announces: role === "admin" && !isDirect,
      saveEdit: async (message, content, mentioned) => {
        try {
          if (content !== captionOf(message) || mentioned.length > 0) {
            await calls.edit(client, message.id, content, mentioned);
          }
          setEditingId(null);
          void conversation.syncMissed();
          return true;
        } catch (error) {
          console.error("The message was not changed", error);
          return false;
        }
      },
      remove: (message) => {
        beginExplanation();
        setRemoving(message);
      },
      report: setReporting,
      canDeleteAny: role === "admin" && !isDirect,
      ...(isDirect ? {} : { react: conversation.toggleReaction, showReactors: setReactedTo }),
      ...(role === "admin" && onPinned
        ? {
            pin: (message, pinned) => {
              setPinned(client, message.id, pinned).then(onPinned, (error: unknown) => {
                console.error("The pin was not saved", error);
                const { code, message: words } = toAppError(error);
                toast.danger(
                  code === "FF322"
                    ? words
                    : `${chatMessageStrings.pinFailed} ${retryLaterMessage(error) ?? chatStrings.pleaseRetry}`,
                );
              });
            },
          }
        : {}),
    }),
    [client, conversation, onReply, onPinned, role, room.id, isDirect, calls, beginExplanation],
  );

  async function confirmRemoval(message: ChatMessage): Promise<void> {
    setBusy(true);
    try {
      await calls.remove(client, message.id, isOthers ? explanation.text : null);
      await conversation.syncMissed();
    } catch (error) {
      console.error("The message was not deleted", error);
      toast.danger(
        `${chatMessageStrings.removeFailed} ${retryLaterMessage(error) ?? chatStrings.pleaseRetry}`,
      );
    } finally {
      setBusy(false);
      setRemoving(null);
    }
  }

  const dialogs = (
    <>
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => (open ? undefined : setRemoving(null))}
        title={chatMessageStrings.removeTitle}
        description={isOthers ? chatMessageStrings.removeOthersText : chatMessageStrings.removeText}
        confirmLabel={chatMessageStrings.removeConfirm}
        cancelLabel={chatMessageStrings.removeCancel}
        danger
        busy={busy}
        firstFocus={isOthers ? explanation.firstFocus : undefined}
        onConfirm={() => {
          if (removing && (!isOthers || explanation.require())) void confirmRemoval(removing);
        }}
      >
        {isOthers ? explanation.fields : null}
      </ConfirmDialog>
      <ReportDialog
        subject={
          reporting && {
            kind: isDirect ? "direct_message" : "message",
            id: reporting.id,
            quote: reporting.content,
          }
        }
        onClose={() => setReporting(null)}
      />
      <ReactorsDialog message={reactedTo} onClose={() => setReactedTo(null)} />
    </>
  );
  return { actions, editingId, dialogs };
}
