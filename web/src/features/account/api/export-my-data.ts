import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";

/** Everything that is kept about the signed-in member, as JSON. Throws the database's error. */
export async function exportMyData(client: BackendClient): Promise<string> {
  return JSON.stringify(await callProcedure(client, "export_my_data"), null, 2);
}
