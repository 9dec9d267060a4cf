import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { GuaranteeRecord } from "../model/guarantee-record.ts";

const recordAnswer = z.nullable(
  z.object({
    baseline_until: z.string(),
    is_baseline_open: z.boolean(),
    terms: z.object({ months: z.number() }),
    baseline: z.nullable(
      z.object({
        monthly_pence: z.number(),
        source: z.string(),
        document_name: z.nullable(z.string()),
        target_pence: z.number(),
        ends_at: z.string(),
        claim_until: z.string(),
        month: z.number(),
      }),
    ),
    check_ins: z.array(z.object({ month: z.number(), monthly_pence: z.number() })),
    lines: z.array(
      z.object({
        line: z.enum(["check_ins", "submissions", "messages", "articles", "membership"]),
        needed: z.number(),
        held: z.number(),
        met: z.boolean(),
      }),
    ),
  }),
);

/** Reads the caller's record; null for an account that never had a paid membership. Throws the database's error. */
export async function fetchGuaranteeRecord(client: BackendClient): Promise<GuaranteeRecord | null> {
  const { data, error } = await client.rpc("my_guarantee");
  if (error) throw error;
  const found = recordAnswer.parse(data);
  if (found === null) return null;
  const { baseline } = found;
  return {
    baselineUntil: Date.parse(found.baseline_until),
    isBaselineOpen: found.is_baseline_open,
    months: found.terms.months,
    baseline: baseline && {
      monthlyPence: baseline.monthly_pence,
      source: baseline.source,
      hasDocument: baseline.document_name !== null,
      targetPence: baseline.target_pence,
      endsAt: Date.parse(baseline.ends_at),
      claimUntil: Date.parse(baseline.claim_until),
      month: baseline.month,
    },
    checkIns: found.check_ins.map((each) => ({
      month: each.month,
      monthlyPence: each.monthly_pence,
    })),
    lines: found.lines,
  };
}

/** Where a member starts, as the form takes it. */
export interface StartingPoint {
  readonly monthlyPence: number;
  readonly source: string;
  /** Of the uploaded document; null keeps the one there is. */
  readonly documentName: string | null;
}

/** Writes down where the caller starts. Throws the database's error. */
export async function recordBaseline(client: BackendClient, start: StartingPoint): Promise<void> {
  const { error } = await client.rpc("record_guarantee_baseline", {
    monthly_pence: start.monthlyPence,
    source: start.source,
    ...(start.documentName === null ? {} : { document_name: start.documentName }),
  });
  if (error) throw error;
}

/** Writes down the income of the running month. Throws the database's error. */
export async function recordCheckIn(client: BackendClient, monthlyPence: number): Promise<void> {
  const { error } = await client.rpc("record_guarantee_check_in", { monthly_pence: monthlyPence });
  if (error) throw error;
}
