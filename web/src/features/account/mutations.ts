import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useSession, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { toAppError } from "@/lib/errors.ts";
import {
  upsertNotificationChoice,
  type NotificationChoices,
  type NotificationKind,
} from "./api/notification-choices.ts";
import { setPicture, uploadPicture } from "./api/profile-picture.ts";
import { notificationsKey, secondFactorKey, sessionsKey } from "./queries.ts";

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

/** Switches one kind of email on or off. The box follows at once, and goes back when it was not saved. */
export function useSaveNotificationChoice(kind: NotificationKind) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const show = (email: boolean) =>
    queries.setQueryData<NotificationChoices>(notificationsKey(userId), (known) =>
      known ? { ...known, [kind]: email } : known,
    );
  return useMutation({
    mutationFn: (email: boolean) => upsertNotificationChoice(client, userId, kind, email),
    // One after the other, so that the last click is what is stored.
    scope: { id: notificationsKey(userId).concat(kind).join("/") },
    onMutate: (email) => void show(email),
    onError: (error, email) => {
      console.error("A notification choice was not saved", error);
      show(!email);
    },
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
