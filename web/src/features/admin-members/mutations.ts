import { useQueryClient } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import {
  addMemberNote,
  liftSuspension,
  removeMemberPicture,
  setMemberAdmin,
  setMentorTrusted,
  signOutMember,
  stopRenewal,
  suspendMember,
} from "./api/member-actions.ts";
import { memberKeys } from "./queries.ts";

/** What administrators do to one member. Each rejects with the error, and reads the member again. */
export function useMemberActions(member: string) {
  const { client } = useBackend();
  const queries = useQueryClient();

  async function done(act: Promise<void>): Promise<void> {
    try {
      await act;
    } finally {
      // Also after an error: another administrator may have been first.
      void queries.invalidateQueries({ queryKey: memberKeys.lists });
      void queries.invalidateQueries({ queryKey: memberKeys.detail(member) });
    }
  }

  return {
    /** The renewal is stopped first: a suspension cannot be repeated when the card provider fails after it. */
    suspend: (reason: string, days: number | null, stopsRenewal: boolean) =>
      done(
        (async () => {
          if (stopsRenewal) await stopRenewal(client, member, reason);
          await suspendMember(client, member, reason, days);
        })(),
      ),
    stopRenewal: (reason: string) => done(stopRenewal(client, member, reason)),
    lift: (reason: string) => done(liftSuspension(client, member, reason)),
    signOut: (reason: string) => done(signOutMember(client, member, reason)),
    removePicture: (reason: string) => done(removeMemberPicture(client, member, reason)),
    setTrusted: (trusted: boolean, reason: string) =>
      done(setMentorTrusted(client, member, trusted, reason)),
    setAdmin: (isAdmin: boolean, reason: string) =>
      done(setMemberAdmin(client, member, isAdmin, reason)),
    addNote: (note: string) => done(addMemberNote(client, member, note)),
  };
}
