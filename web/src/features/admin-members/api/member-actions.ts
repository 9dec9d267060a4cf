import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import { pictureBucket } from "@/lib/profile-picture-url.ts";

/** Suspends a member for so many days; null until it is lifted. Throws the database's error. */
export async function suspendMember(
  client: BackendClient,
  member: string,
  reason: string,
  days: number | null,
): Promise<void> {
  const { error } = await client.rpc("suspend_member", {
    member,
    reason,
    ...(days === null ? {} : { days }),
  });
  if (error) throw error;
}

/** Ends a member's subscription with its paid period. It may be repeated. Throws the answer's code and message. */
export async function stopRenewal(
  client: BackendClient,
  member: string,
  reason: string,
): Promise<void> {
  const { status, body } = await callFunction(client, "admin-stop-renewal", {
    member_id: member,
    reason,
  });
  if (status === 200) return;
  throw Object.assign(new Error(textOf(body, "error")), { code: textOf(body, "code") });
}

/** Throws the database's error. */
export async function liftSuspension(
  client: BackendClient,
  member: string,
  reason: string,
): Promise<void> {
  const { error } = await client.rpc("lift_suspension", { member, reason });
  if (error) throw error;
}

/** Ends every session of a member. Throws the database's error. */
export async function signOutMember(
  client: BackendClient,
  member: string,
  reason: string,
): Promise<void> {
  const { error } = await client.rpc("sign_out_member", { member, reason });
  if (error) throw error;
}

/** Lets a mentor publish without a review, or no longer. Throws the database's error. */
export async function setMentorTrusted(
  client: BackendClient,
  member: string,
  trusted: boolean,
  reason: string,
): Promise<void> {
  const { error } = await client.rpc("set_trusted_mentor", { member, trusted, reason });
  if (error) throw error;
}

/** Makes a member an administrator, or no longer one, after the caller's second factor was shown. Throws the database's error. */
export async function setMemberAdmin(
  client: BackendClient,
  member: string,
  isAdmin: boolean,
  reason: string,
): Promise<void> {
  const { error } = await client.rpc("set_member_admin", { member, is_admin: isAdmin, reason });
  if (error) throw error;
}

/**
 * Takes the picture off a member's profile and deletes it. Throws the database's error. A picture that was not deleted is
 * only logged: the server deletes unused pictures every hour.
 */
export async function removeMemberPicture(
  client: BackendClient,
  member: string,
  reason: string,
): Promise<void> {
  const { data: name, error } = await client.rpc("admin_remove_picture", { member, reason });
  if (error) throw error;
  const removed = await client.storage.from(pictureBucket).remove([name]);
  if (removed.error) console.error("The picture was not deleted", removed.error);
}

/** Throws the database's error. */
export async function addMemberNote(
  client: BackendClient,
  member: string,
  note: string,
): Promise<void> {
  const { error } = await client.rpc("add_member_note", { member, note });
  if (error) throw error;
}
