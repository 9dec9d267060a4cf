import { useQuery } from "@tanstack/react-query";
import { bellKey } from "@/features/notifications/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { isUuid } from "@/lib/uuid.ts";
import { fetchAchievements } from "./api/achievements.ts";
import { fetchCertificate, verifyCertificate } from "./api/certificates.ts";
import { fetchSharedCard } from "./api/shared-cards.ts";

export const achievementKeys = {
  /** Below the bell's, so that they are also read again when a notification comes. */
  mine: (userId: string) => [...bellKey(userId), "achievements"],
  certificate: (userId: string, id: string) => ["certificate", userId, id],
  /** Public, so the same for everyone. */
  verified: (code: string) => ["verified-certificate", code],
  card: (code: string) => ["shared-card", code],
} as const;

/** The member's own achievements, certificates and streak. */
export function useAchievements() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: achievementKeys.mine(userId),
    queryFn: () => fetchAchievements(client),
    enabled: userId !== "",
    retry: 2,
    staleTime: 0,
  });
}

/** One's own certificate; null when there is none with this id. */
export function useCertificate(id: string) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: achievementKeys.certificate(userId, id),
    queryFn: async () => (isUuid(id) ? await fetchCertificate(client, id) : null),
    enabled: userId !== "",
    retry: 2,
  });
}

/** What the certificate with a code says to everyone. */
export function useVerifiedCertificate(code: string) {
  const { client } = useBackend();
  return useQuery({
    queryKey: achievementKeys.verified(code),
    queryFn: () => verifyCertificate(client, code),
    retry: false,
  });
}

/** A card that a member has shared. Nothing is asked while there is no code. */
export function useSharedCard(code: string) {
  const { client } = useBackend();
  return useQuery({
    queryKey: achievementKeys.card(code),
    queryFn: () => fetchSharedCard(client, code),
    enabled: code !== "",
    retry: false,
  });
}
