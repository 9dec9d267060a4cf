import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { revokeCertificate } from "./api/certificates.ts";
import { shareCard, stopSharing } from "./api/shared-cards.ts";
import type { ShareSubject } from "./model/shared-card.ts";
import { achievementKeys } from "./queries.ts";

/** Makes a card public. The result is the code of its address. */
export function useShareCard() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationFn: (subject: ShareSubject) => shareCard(client, subject),
    onSuccess: () => queries.invalidateQueries({ queryKey: achievementKeys.mine(userId) }),
  });
}

/** Takes a shared card back. */
export function useStopSharing() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationFn: (code: string) => stopSharing(client, code),
    onSuccess: async (_, code) => {
      queries.removeQueries({ queryKey: achievementKeys.card(code) });
      await queries.invalidateQueries({ queryKey: achievementKeys.mine(userId) });
    },
  });
}

/** Revokes a certificate. Administrators only. */
export function useRevokeCertificate(code: string) {
  const { client } = useBackend();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) => revokeCertificate(client, code, reason),
    onSuccess: () => queries.invalidateQueries({ queryKey: achievementKeys.verified(code) }),
  });
}
