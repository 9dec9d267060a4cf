import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { bellKey } from "@/features/notifications/index.ts";
import { useSession, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { toAppError } from "@/lib/errors.ts";
import { refetchQueries } from "@/lib/query-cache.ts";
import { useSaveChoice } from "@/lib/use-save-choice.ts";
import {
  choiceId,
  upsertDigestChoice,
  upsertNotificationChoice,
  type ChoiceName,
  type DigestFrequency,
  type NotificationChoices,
} from "./api/notification-choices.ts";
import { turnPushOff, turnPushOn, type PushState } from "./api/push-device.ts";
import { setPicture, uploadPicture } from "./api/profile-picture.ts";
import { notificationsKey, passkeysKey, pushKey, secondFactorKey, sessionsKey } from "./queries.ts";

/** Reads the second factors and the number of recovery codes again. */
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

/** Reads the passkeys again. */
export function useInvalidatePasskeys(): () => void {
  const queries = useQueryClient();
  const userId = useUserId();
  return () => void queries.invalidateQueries({ queryKey: passkeysKey(userId) });
}

function withChoice(known: NotificationChoices, name: ChoiceName, isOn: boolean) {
  const off = new Set(known.off);
  if (isOn) off.delete(choiceId(name));
  else off.add(choiceId(name));
  return { ...known, off };
}

/** Switches one kind or topic on or off in one place. */
export function useSaveNotificationChoice(name: ChoiceName) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return useSaveChoice({
    key: notificationsKey(userId),
    name: choiceId(name),
    read: (known: NotificationChoices) => !known.off.has(choiceId(name)),
    write: (known, isOn: boolean) => withChoice(known, name, isOn),
    save: (isOn) => upsertNotificationChoice(client, userId, name, isOn),
    onSaved: () => (name.channel === "bell" ? refetchQueries(queries, bellKey(userId)) : undefined),
  });
}

/** Sets how often the digest comes. */
export function useSaveDigestChoice() {
  const { client } = useBackend();
  const userId = useUserId();
  return useSaveChoice({
    key: notificationsKey(userId),
    name: "digest",
    read: (known: NotificationChoices) => known.digest,
    write: (known, digest: DigestFrequency) => ({ ...known, digest }),
    save: (digest) => upsertDigestChoice(client, userId, digest),
  });
}

/** Turns push messages on or off on this device. */
export function useTurnPush(publicKey: string) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationFn: (isOn: boolean) => (isOn ? turnPushOn(client, publicKey) : turnPushOff(client)),
    onSuccess: (state) => void queries.setQueryData<PushState>(pushKey(userId), state),
    onError: (error) => console.error("Push messages were not switched", error),
  });
}

const pictureNotUploaded = "FF340";

/** Changes the picture of the profile. Both reject on failure. */
export function useProfilePicture() {
  const { client } = useBackend();
  const { refreshProfile } = useSession();
  const userId = useUserId();
  // Saving again after a failure does not upload a second time.
  const stored = useRef<{ readonly file: File; readonly name: string } | null>(null);

  async function save(file: File): Promise<void> {
    if (stored.current?.file !== file) {
      stored.current = { file, name: await uploadPicture(client, userId, file) };
    }
    try {
      await setPicture(client, stored.current.name);
    } catch (error) {
      if (toAppError(error).code === pictureNotUploaded) stored.current = null;
      throw error;
    }
    stored.current = null;
    await refreshProfile();
  }

  async function remove(): Promise<void> {
    await setPicture(client, null);
    await refreshProfile();
  }

  return { save, remove };
}
