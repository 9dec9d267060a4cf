import { useEffect, useSyncExternalStore } from "react";
import { useBackend } from "@/lib/backend.tsx";
import type { BackendClient } from "@/lib/backend-client.ts";
import { systemClock } from "@/lib/clock.ts";
import { messageOf, toAppError } from "@/lib/errors.ts";
import { refusalText } from "@/lib/refusal.ts";
import { PictureRefusedError } from "./api/message-pictures.ts";
import { sendDirectMessage } from "./api/send-direct-message.ts";
import { sendMessage } from "./api/send-message.ts";
import type { Outgoing } from "./model/message.ts";
import {
  createOutbox,
  type DeliveryResult,
  type Outbox,
  type OutboxState,
} from "./model/outbox.ts";
import { composerStrings } from "./strings.ts";

interface OwnedOutbox {
  readonly ownerId: string;
  readonly outbox: Outbox;
  readonly close: () => void;
}

// One outbox for each member and backend, outside the rooms, so that queued messages survive
// navigation.
const outboxes = new WeakMap<BackendClient, OwnedOutbox>();

async function deliver(client: BackendClient, message: Outgoing): Promise<DeliveryResult> {
  try {
    const { recipientId } = message;
    const row =
      recipientId === undefined
        ? await sendMessage(client, message)
        : await sendDirectMessage(client, message, recipientId);
    const { author, quote } = message;
    // The file stays at hand, so that the author's own picture is not loaded again.
    const picture = row.picture ? { ...row.picture, file: message.picture?.file ?? null } : null;
    return { kind: "saved", row: { ...row, author, quote, picture, liked: false } };
  } catch (error) {
    console.error("The message was not sent", error);
    // An error with a code came from the server. Without one the result is unknown.
    const { code } = toAppError(error);
    if (code.length < 5) return { kind: "unreachable" };
    if (error instanceof PictureRefusedError) {
      const { refusal } = error;
      return { kind: "rejected", reason: refusal && refusalText(refusal, composerStrings) };
    }
    return { kind: "rejected", reason: messageOf(error, "") || null };
  }
}

function outboxOf(client: BackendClient, ownerId: string): Outbox {
  const known = outboxes.get(client);
  if (known?.ownerId === ownerId) return known.outbox;
  known?.close();
  const outbox = createOutbox({
    deliver: (message) => deliver(client, message),
    isOnline: () => navigator.onLine,
    clock: systemClock,
  });
  window.addEventListener("online", outbox.resume);
  // What one member queued must never be sent in the session of the next. A session that is only unknown for now, such as
  // one that can't be renewed offline, ends nothing.
  const { data } = client.auth.onAuthStateChange((event, session) => {
    const isAnother = session !== null && session.user.id !== ownerId;
    if (event === "SIGNED_OUT" || isAnother) close();
  });
  const close = () => {
    outbox.clear();
    window.removeEventListener("online", outbox.resume);
    data.subscription.unsubscribe();
    if (outboxes.get(client)?.outbox === outbox) outboxes.delete(client);
  };
  outboxes.set(client, { ownerId, outbox, close });
  return outbox;
}

/** The member's outbox. The browser warns before a page with unsent messages is closed. */
export function useOutbox(ownerId: string): {
  readonly outbox: Outbox;
  readonly state: OutboxState;
} {
  const { client } = useBackend();
  const outbox = outboxOf(client, ownerId);
  const state = useSyncExternalStore(outbox.subscribe, outbox.getState);
  const waiting = state.entries.length > 0;
  useEffect(() => {
    if (!waiting) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [waiting]);
  return { outbox, state };
}
