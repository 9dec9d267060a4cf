import { useCallback, useEffect, useRef, useState } from "react";
import { typingIntervalMs, typingTimeoutMs } from "@/features/chat/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { tellDirectTyping, watchDirectTyping } from "./api/watch-direct-typing.ts";

/** Whether the other member is typing, over the conversation's private channel. */
export function useDirectTyping(
  conversationId: string | null,
  member: { readonly id: string; readonly name: string },
) {
  const { client } = useBackend();
  const [isTyping, setIsTyping] = useState(false);
  const toldAt = useRef(0);
  const { id: memberId } = member;

  useEffect(() => {
    if (conversationId === null) return undefined;
    let cancel = () => {};
    const stop = watchDirectTyping(client, conversationId, (id) => {
      if (id !== memberId) return;
      cancel();
      cancel = systemClock.after(typingTimeoutMs, () => setIsTyping(false));
      setIsTyping(true);
    });
    return () => {
      cancel();
      stop();
    };
  }, [client, conversationId, memberId]);

  const sendTyping = useCallback(() => {
    const now = systemClock.now();
    if (conversationId === null || now - toldAt.current < typingIntervalMs) return;
    toldAt.current = now;
    void tellDirectTyping(client, conversationId);
  }, [client, conversationId]);

  const stopTyping = useCallback(
    (id: string) => {
      if (id === memberId) setIsTyping(false);
      else toldAt.current = 0;
    },
    [memberId],
  );

  return { names: isTyping ? [member.name] : [], sendTyping, stopTyping };
}
