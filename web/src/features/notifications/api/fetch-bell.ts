import type { BackendClient } from "@/lib/backend-client.ts";
import { bellPageSchema, bellPageSize, type BellPage } from "../model/bell-page.ts";

/** Reads the lines before a moment, or the newest ones. Throws the database's error. */
export async function fetchBell(client: BackendClient, before: string | null): Promise<BellPage> {
  const { data, error } = await client.rpc("my_notifications", {
    page_size: bellPageSize,
    ...(before === null ? {} : { before }),
  });
  if (error) throw error;
  return bellPageSchema.parse(data);
}
