import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState, type Dispatch, type SetStateAction } from "react";

/** Puts a text into the message field of a place, unless something was typed there. Call it before the field is shown. */
export function startDraft(
  queries: QueryClient,
  userId: string,
  placeId: string,
  text: string,
): void {
  queries.setQueryDefaults(["chat-draft"], { gcTime: Infinity });
  const key = ["chat-draft", userId, placeId];
  if (!queries.getQueryData<string>(key)) queries.setQueryData(key, text);
}

/**
 * What is being typed in a room, kept while the member looks at another one. In memory alone, as unsent messages are
 * (decision 010), and gone with the session like everything cached.
 */
export function useRoomDraft(
  userId: string,
  roomId: string,
): [text: string, setText: Dispatch<SetStateAction<string>>] {
  const queries = useQueryClient();
  const [text, setText] = useState(
    () => queries.getQueryData<string>(["chat-draft", userId, roomId]) ?? "",
  );
  useEffect(() => {
    queries.setQueryDefaults(["chat-draft"], { gcTime: Infinity });
    queries.setQueryData(["chat-draft", userId, roomId], text);
  }, [queries, userId, roomId, text]);
  return [text, setText];
}
