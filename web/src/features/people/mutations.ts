import { useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { useSaveChoice } from "@/lib/use-save-choice.ts";
import { setBlock } from "./api/blocks.ts";
import {
  fetchProfileChoices,
  saveProfileChoices,
  type ProfileChoices,
} from "./api/profile-choices.ts";
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

/** Saves some of the choices of the member's own profile. */
export function useSaveProfileChoices() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const key = peopleKeys.choices(userId);
  return useSaveChoice({
    key,
    read: (known: ProfileChoices, choice: Partial<ProfileChoices>) =>
      Object.fromEntries(
        Object.entries(known).filter(([name]) => name in choice),
      ) as Partial<ProfileChoices>,
    write: (known, choice) => ({ ...known, ...choice }),
    save: async (choice) => {
      // The others as they are now: they are stored together.
      const known =
        queries.getQueryData<ProfileChoices>(key) ?? (await fetchProfileChoices(client));
      await saveProfileChoices(client, { ...known, ...choice });
    },
    onSaved: () => queries.invalidateQueries({ queryKey: peopleKeys.all(userId) }),
  });
}
