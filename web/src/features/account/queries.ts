import { useQuery } from "@tanstack/react-query";
import { listFactors, useSession, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { readEmail } from "./api/read-email.ts";
import { countRecoveryCodes } from "./api/second-factor.ts";
import { fetchNotificationChoices } from "./api/notification-choices.ts";
import { fetchPasskeys } from "./api/passkeys.ts";
import { fetchPushState } from "./api/push-device.ts";
import { fetchSessions } from "./api/sessions.ts";

export function secondFactorKey(userId: string): readonly string[] {
  return ["account", "second-factor", userId];
}

export function sessionsKey(userId: string): readonly string[] {
  return ["account", "sessions", userId];
}

export function notificationsKey(userId: string): readonly string[] {
  return ["account", "notifications", userId];
}

/** The email address as the server has it: a change may have been confirmed on another device. */
export function useEmail() {
  const { client } = useBackend();
  const { user } = useSession();
  return useQuery({
    queryKey: ["account", "email", user?.id, user?.email],
    queryFn: () => readEmail(client),
    enabled: user !== null,
  });
}

/** The second factors of the account. */
export function useFactors() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...secondFactorKey(userId), "factors"],
    queryFn: () => listFactors(client),
  });
}

/** How many recovery codes are left. Not read while the account has no second factor. */
export function useRecoveryCodeCount(hasFactors: boolean) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...secondFactorKey(userId), "codes"],
    queryFn: () => countRecoveryCodes(client),
    enabled: hasFactors,
  });
}

/** The devices the account is signed in on. */
export function useSessions() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: sessionsKey(userId),
    queryFn: () => fetchSessions(client),
  });
}

export function passkeysKey(userId: string): readonly string[] {
  return ["account", "passkeys", userId];
}

/** The passkeys of the account. */
export function usePasskeys() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({ queryKey: passkeysKey(userId), queryFn: () => fetchPasskeys(client) });
}

export function pushKey(userId: string): readonly string[] {
  return ["account", "push", userId];
}

/** Whether this device shows push messages. */
export function usePushState() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({ queryKey: pushKey(userId), queryFn: () => fetchPushState(client) });
}

/** What the member wants to be told of, and where. */
export function useNotificationChoices() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: notificationsKey(userId),
    queryFn: () => fetchNotificationChoices(client),
  });
}
