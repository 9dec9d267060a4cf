import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownItems } from "@/domain/known-items.ts";
import type { GuaranteeClaim } from "../model/guarantee-claim.ts";

const claimAnswer = z.nullable(
  z.object({
    state: z.enum(["filed", "declined", "appealed", "granted", "refused"]),
    monthly_pence: z.number(),
    lines: knownItems(
      z.object({
        line: z.enum(["check_ins", "submissions", "messages", "articles", "membership", "income"]),
        needed: z.number(),
        held: z.number(),
        met: z.boolean(),
      }),
    ),
    reason: z.nullable(z.string()),
    appeal_until: z.nullable(z.string()),
  }),
);

function toClaim(answer: unknown): GuaranteeClaim | null {
  const found = claimAnswer.parse(answer);
  return (
    found && {
      state: found.state,
      monthlyPence: found.monthly_pence,
      lines: found.lines,
      reason: found.reason,
      appealUntil: found.appeal_until === null ? null : Date.parse(found.appeal_until),
    }
  );
}

/** Reads the caller's claim; null when none was made. Throws the database's error. */
export async function fetchGuaranteeClaim(client: BackendClient): Promise<GuaranteeClaim | null> {
  const { data, error } = await client.rpc("my_guarantee_claim");
  if (error) throw error;
  return toClaim(data);
}

/** Makes the caller's claim. Throws the database's error. */
export async function fileClaim(
  client: BackendClient,
  monthlyPence: number,
  statement: string,
): Promise<void> {
  const { error } = await client.rpc("file_guarantee_claim", {
    monthly_pence: monthlyPence,
    statement,
  });
  if (error) throw error;
}

/** Appeals against the declined claim. Throws the database's error. */
export async function appealClaim(client: BackendClient, appeal: string): Promise<void> {
  const { error } = await client.rpc("appeal_guarantee_claim", { appeal });
  if (error) throw error;
}
