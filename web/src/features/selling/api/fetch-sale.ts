import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction } from "@/lib/call-function.ts";
import { toSale, type Sale } from "../model/sale.ts";

/** Reads the public page of a course; null when it is not on sale. Throws when no answer came. */
export async function fetchSale(client: BackendClient, slug: string): Promise<Sale | null> {
  const { status, body } = await callFunction(client, "course-offer", { slug });
  if (status === 404 || status === 400) return null;
  if (status !== 200) throw new Error(`course-offer answered ${status}`);
  return toSale(body["offer"]);
}
