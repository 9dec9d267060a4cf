import { useMemo, useState, type ReactNode } from "react";
import { paths } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { retryLaterMessage } from "@/lib/errors.ts";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { toast } from "@/ui/toast.tsx";
import { deleteMessage } from "./api/delete-message.ts";
import { editMessage } from "./api/edit-message.ts";
import { chatStrings } from "./strings.ts";
import type { Conversation } from "./model/conversation.ts";
import type { ChatMessage } from "./model/message.ts";
import type { Room } from "./model/room.ts";
import { ReportDialog } from "./components/report-dialog.tsx";

/** What can be done with messages; the same object as long as one is in the room. */
export interface MessageActions {
  readonly like: (id: string) => void;
  readonly reply: (message: ChatMessage) => void;
  readonly copyLink: (id: string) => void;
  /** Begins to edit a message; null ends it. */
  readonly edit: (id: string | null) => void;
  /** Resolves to whether the change was saved. */
  readonly saveEdit: (message: ChatMessage, content: string) => Promise<boolean>;
  readonly remove: (message: ChatMessage) => void;
  readonly report: (message: ChatMessage) => void;
  readonly canDeleteAny: boolean;
}

/** The actions of a room, and the windows some of them need. */
export function useMessageActions({
  room,
  conversation,
  onReply,
}: {
  readonly room: Room;
  readonly conversation: Conversation;
  readonly onReply: (message: ChatMessage) => void;
}): {
  readonly actions: MessageActions;
  readonly editingId: string | null;
  readonly dialogs: ReactNode;
} {
  const { client } = useBackend();
  const { role } = useSession();
  const [editingId, setEditingId] = useState<string | null>(null);
  const [removing, setRemoving] = useState<ChatMessage | null>(null);
  const [busy, setBusy] = useState(false);
  const [reporting, setReporting] = useState<ChatMessage | null>(null);

  const actions = useMemo<MessageActions>(
    () => ({
      like: conversation.toggleLike,
      reply: onReply,
      copyLink: (id) => {
        const address = `${window.location.origin}${paths.chats}/${room.id}#${id}`;
        copyText(address).then(
          () => toast.good(chatStrings.linkCopied),
          () => toast.info(address),
        );
      },
      edit: setEditingId,
      saveEdit: async (message, content) => {
        try {
          if (content !== message.content) await editMessage(client, message.id, content);
          setEditingId(null);
          void conversation.syncMissed();
          return true;
        } catch (error) {
          console.error("The message was not changed", error);
          return false;
        }
      },
      remove: setRemoving,
      report: setReporting,
      canDeleteAny: role === "admin",
    }),
    [client, conversation, onReply, role, room.id],
  );

  async function confirmRemoval(message: ChatMessage): Promise<void> {
    setBusy(true);
    try {
      await deleteMessage(client, message.id);
      await conversation.syncMissed();
    } catch (error) {
      console.error("The message was not deleted", error);
      toast.danger(
        `The message was not deleted. ${retryLaterMessage(error) ?? "Please try again."}`,
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
        title="Delete this message?"
        description="This deletes the message for everyone. You can't undo this."
        confirmLabel="Delete message"
        cancelLabel="Keep it"
        danger
        busy={busy}
        onConfirm={() => (removing ? void confirmRemoval(removing) : undefined)}
      />
      <ReportDialog message={reporting} onClose={() => setReporting(null)} />
    </>
  );
  return { actions, editingId, dialogs };
}

/** The clipboard is there on secure pages only. */
async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  if (!clipboard) throw new Error("this page may not use the clipboard");
  await clipboard.writeText(text);
}
