import type { BackendClient } from "@/lib/backend-client.ts";
import { myPactsSchema, type MyPacts } from "../model/pact.ts";

/** Reads the member's own pacts and those they witness. Throws the database's error. */
export async function fetchMyPacts(client: BackendClient): Promise<MyPacts> {
  const { data, error } = await client.rpc("my_pacts");
  if (error) throw error;
  return myPactsSchema.parse(data);
}
