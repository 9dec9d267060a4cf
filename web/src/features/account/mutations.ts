import { useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { secondFactorKey, sessionsKey } from "./queries.ts";

/** Reads the authenticator apps and the number of recovery codes again. */
export function useInvalidateSecondFactor(): () => void {
  const queries = useQueryClient();
  const userId = useUserId();
  return () => void queries.invalidateQueries({ queryKey: secondFactorKey(userId) });
}

/** Reads the list of devices again. */
export function useInvalidateSessions(): () => void {
  const queries = useQueryClient();
  const userId = useUserId();
  return () => void queries.invalidateQueries({ queryKey: sessionsKey(userId) });
}
