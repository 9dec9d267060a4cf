import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type Dispatch,
  type RefObject,
  type SetStateAction,
} from "react";
import type { Mention } from "@/features/mentions/index.ts";
import { storedMessage } from "./model/stored-message.ts";

/** Puts a text into the message field of a place, unless something was typed there. Call it before the field is shown. */
export function startDraft(userId: string, placeId: string, text: string): void {
  if (storedMessage.read(userId, placeId) === null) {
    storedMessage.keep({ text, mentions: [] }, userId, placeId);
  }
}

/**
 * What is being typed in a room, and whom it names. Kept in the tab until it is sent or the member signs out, while they look
 * at another room and over a reload.
 */
export function useRoomDraft(
  userId: string,
  roomId: string,
): {
  readonly text: string;
  readonly setText: Dispatch<SetStateAction<string>>;
  /** Forgets what was typed: at once, as the field may go with the message that was sent. */
  readonly clear: () => void;
  /** Change it before the text, with which it is kept. */
  readonly pickedRef: RefObject<readonly Mention[]>;
} {
  const [kept] = useState(() => storedMessage.read(userId, roomId));
  const [text, setText] = useState(kept?.text ?? "");
  const pickedRef = useRef<readonly Mention[]>(kept?.mentions ?? []);
  useEffect(() => {
    const draft = text === "" ? null : { text, mentions: [...pickedRef.current] };
    storedMessage.keep(draft, userId, roomId);
  }, [userId, roomId, text]);
  const clear = useCallback(() => {
    storedMessage.keep(null, userId, roomId);
    setText("");
  }, [userId, roomId]);
  return { text, setText, clear, pickedRef };
}
