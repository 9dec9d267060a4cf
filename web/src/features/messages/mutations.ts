import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { saveMessageChoice, type MessageChoice } from "./api/message-choice.ts";
import { messageKeys } from "./queries.ts";

/** Saves who may write to the member. */
export function useSaveMessageChoice() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationFn: (choice: MessageChoice) => saveMessageChoice(client, choice),
    onSuccess: () => queries.invalidateQueries({ queryKey: messageKeys.choice(userId) }),
  });
}
