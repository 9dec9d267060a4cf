import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction } from "@/lib/call-function.ts";

const figuresShape = z.nullable(z.object({ decided: z.number(), granted: z.number() }));

/** How the claims of all members ended so far; null while too few were decided to give figures. */
export type GuaranteeFigures = z.infer<typeof figuresShape>;

/** Reads how many claims were decided and granted. Throws when no answer came. */
export async function fetchGuaranteeFigures(client: BackendClient): Promise<GuaranteeFigures> {
  const { status, body } = await callFunction(client, "guarantee-figures", {});
  if (status !== 200) throw new Error(`guarantee-figures answered ${status}`);
  return figuresShape.parse(body["figures"]);
}
