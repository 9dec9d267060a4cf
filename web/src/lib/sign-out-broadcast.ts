import { newId } from "./uuid.ts";

const channelName = "sign-out";

/** A channel also reaches other channels of its own tab, which have to know their own messages. */
const tabId = newId();

/**
 * Tells the browser's other tabs that the member signed out here. The authentication library tells them that the
 * session is gone, but not why: it may have expired, or the server may have ended it.
 */
export function broadcastSignOut(): void {
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin and has no such argument
  channel.postMessage(tabId);
  channel.close();
}

/** Calls back when the member signed out in another tab. @returns how to stop. */
export function onSignOutElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener("message", ({ data }) => {
    if (data !== tabId) listener();
  });
  return () => channel.close();
}
