import { isKeyTaken } from "./is-key-taken.ts";
import { letterKeysWanted } from "@/domain/letter-keys.ts";

/** The id of the message field, of which a page has at most one. */
export const messageFieldId = "message-field";

const conversation = /^\/(?:chats|messages)\/[^/]+$/;
const startsText = /^[\p{L}\p{N}]$/u;
const partsOfLetters = new Set(["Shift", "CapsLock", "AltGraph", "Dead"]);

const nowhere = () => null;
/** The page that a link leads to while its code is on its way, as the router says; null when there is none. */
let asked: () => string | null = nowhere;
/** The same as the app has drawn it: a moment later than the router at both ends. */
let drawn: string | null = null;
/** The conversation that `typed` is for. */
let goal = "";
let typed = "";
/** From the first letter on every key is text, until one that is none. */
let isWriting = false;

/** The conversation that is still loading, and has no field yet; null when there is none. */
function loadingConversation(): string | null {
  const heading = asked() ?? drawn;
  const path = heading ?? window.location.pathname;
  if (!conversation.test(path)) return null;
  if (heading !== null) return path;
  if (document.getElementById(messageFieldId) !== null) return null;
  return document.querySelector("[data-loading-page], main [aria-busy=true]") && path;
}

function keepKey(key: string): void {
  if (partsOfLetters.has(key)) return;
  // A line is not sent unseen, nor is the link followed once more.
  if (key === "Enter") return;
  if (key === "Backspace") typed = Array.from(typed).slice(0, -1).join("");
  else if (Array.from(key).length === 1) typed += key;
  else isWriting = false;
}

/** The first letter, after everything else that listens: it is text only when it is no key of the page. */
function begin(event: KeyboardEvent): void {
  if (isWriting || !startsText.test(event.key) || isKeyTaken(event) || !letterKeysWanted()) return;
  const path = loadingConversation();
  if (path === null) return;
  // On the way the link that was followed has the focus; on the page itself nothing may have it.
  const { target } = event;
  if ((asked() ?? drawn) === null && !(target instanceof Element && target.matches("body, main")))
    return;
  if (path !== goal) typed = "";
  goal = path;
  typed += event.key;
  isWriting = true;
}

/** The letters after it, before anything else. */
function goOn(event: KeyboardEvent): void {
  if (!isWriting) return;
  isWriting = !isKeyTaken(event) && loadingConversation() === goal;
  if (isWriting) keepKey(event.key);
  if (!isWriting) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * Keeps what is typed on the way to a conversation, while its code and its messages are loading and no field is there to take
 * it. @returns what ends it
 */
export function keepTypedAhead(page: Window): () => void {
  page.addEventListener("keydown", goOn, true);
  page.addEventListener("keydown", begin);
  return () => {
    page.removeEventListener("keydown", goOn, true);
    page.removeEventListener("keydown", begin);
    isWriting = false;
    typed = "";
  };
}

/** Asks the router where a link leads to from the press of it on: the first letter may come before anything is drawn. @returns what ends it */
export function askHeading(router: () => string | null): () => void {
  asked = router;
  return () => {
    asked = nowhere;
  };
}

/** Says where a link leads to while its page is loading, and null when none does, as it is drawn. */
export function headFor(pathname: string | null): void {
  drawn = pathname;
  if (pathname !== null && pathname !== goal) typed = "";
}

/** Whether something was typed on the way to the conversation that is open now. */
export function hasTypedAhead(): boolean {
  return typed !== "" && goal === window.location.pathname;
}

/** What was typed on the way to the conversation that is open now, once. */
export function takeTypedAhead(): string {
  const text = hasTypedAhead() ? typed : "";
  isWriting = false;
  typed = "";
  return text;
}
