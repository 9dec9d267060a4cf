import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";

/** The level the caller may use now; 0 without a live membership. Throws the database's error. */
export async function selectEffectiveLevel(client: BackendClient): Promise<number> {
  return z.number().parse(await callProcedure(client, "effective_level"));
}
