import type { BackendClient } from "@/lib/backend-client.ts";
import { toFault, type Fault } from "@/lib/errors.ts";

const alreadyThere = "23505";

/** Creates the first, empty profile of a user. A profile that is already there is no fault. */
export async function insertProfile(client: BackendClient, userId: string): Promise<Fault | null> {
  const { error } = await client
    .from("profiles")
    .insert({ id: userId, onboarding_complete: false, role: "student" });
  return error === null || error.code === alreadyThere ? null : toFault(error);
}
