import type { BackendClient } from "@/lib/backend-client.ts";

/** Everything that is kept about the signed-in member, as JSON. Throws the database's error. */
export async function exportMyData(client: BackendClient): Promise<string> {
  const { data, error } = await client.rpc("export_my_data");
  if (error) throw error;
  return JSON.stringify(data, null, 2);
}
