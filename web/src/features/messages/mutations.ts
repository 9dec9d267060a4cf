import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { useSaveChoice } from "@/lib/use-save-choice.ts";
import { saveMessageChoice, type MessageChoice } from "./api/message-choice.ts";
import { messageKeys } from "./queries.ts";

/** Saves who may write to the member. */
export function useSaveMessageChoice() {
  const { client } = useBackend();
  const userId = useUserId();
  return useSaveChoice({
    key: messageKeys.choice(userId),
    read: (known: MessageChoice) => known,
    write: (_known, choice: MessageChoice) => choice,
    save: (choice) => saveMessageChoice(client, choice),
  });
}
