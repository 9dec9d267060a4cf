import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { setBlock } from "./api/blocks.ts";
import { saveProfileChoices, type ProfileChoices } from "./api/profile-choices.ts";
import { peopleKeys } from "./queries.ts";

/** Blocks a member or takes the block back. Rejects on failure. Everything is read again: a block is felt everywhere. */
export function useSetBlock(): (memberId: string, blocked: boolean) => Promise<void> {
  const { client } = useBackend();
  const queries = useQueryClient();
  return async (memberId, blocked) => {
    await setBlock(client, memberId, blocked);
    await queries.invalidateQueries();
  };
}

/** Saves the choices of the member's own profile. */
export function useSaveProfileChoices() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationFn: (choices: ProfileChoices) => saveProfileChoices(client, choices),
    onSuccess: () => queries.invalidateQueries({ queryKey: peopleKeys.all(userId) }),
  });
}
