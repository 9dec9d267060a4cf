import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

/** The level the caller may use now; 0 without a live membership. Throws the database's error. */
export async function fetchEffectiveLevel(client: BackendClient): Promise<number> {
  const { data, error } = await client.rpc("effective_level");
  if (error) throw error;
  return z.number().parse(data);
}
