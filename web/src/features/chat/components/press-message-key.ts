import type { KeyboardEvent } from "react";
import { isKeyForPage } from "@/lib/is-key-for-page.ts";
import type { ChatMessage } from "../model/message.ts";
import type { MessageActions } from "../use-message-actions.tsx";

const keys = new Set(["r", "l", "e"]);

/**
 * The keys of the message that has the focus: R replies, L likes it or takes the like back, E edits one's own. They are no text there,
 * also where they have nothing to do; other letters are (`useTypeToWrite`).
 */
export function pressMessageKey(
  event: KeyboardEvent,
  {
    message,
    own,
    actions,
  }: {
    readonly message: ChatMessage;
    readonly own: boolean;
    readonly actions: MessageActions;
  },
): void {
  if (!keys.has(event.key) || !isKeyForPage(event.nativeEvent)) return;
  // The letter would be written into the field that has the focus now.
  event.preventDefault();
  if (event.repeat || message.deleted || message.delivery !== "saved") return;
  if (event.key === "r") actions.reply(message);
  else if (event.key === "l" && actions.like) actions.like(message.id);
  else if (event.key === "e" && own) actions.edit(message.id);
}
