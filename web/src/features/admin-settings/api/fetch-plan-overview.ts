import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

/** A plan on sale. */
export interface PlanOverview {
  readonly id: string;
  readonly name: string;
  readonly pence: number;
  readonly currency: string;
  readonly interval: string;
  /** Of the card provider. */
  readonly priceId: string;
  readonly isActive: boolean;
  readonly members: number;
  /** Of these, how many pay a price the plan had before. */
  readonly formerPriceMembers: number;
  /** Those on sale first, then the latest. */
  readonly prices: readonly SoldPrice[];
}

/** A price of a plan, past or present. Times are epoch milliseconds. */
export interface SoldPrice {
  readonly priceId: string;
  readonly interval: "month" | "year";
  /** Null for a former price that was kept without it. */
  readonly pence: number | null;
  readonly activeFrom: number;
  /** Null while it is on sale. */
  readonly retiredAt: number | null;
  readonly members: number;
}

/** The plans, and the link to the card provider. Times are epoch milliseconds, null for never. */
export interface PlansOverview {
  readonly plans: readonly PlanOverview[];
  readonly lastEventAt: number | null;
  readonly lastCheckAt: number | null;
}

const time = z.nullable(z.string());
const rows = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    amount_pence: z.number(),
    currency: z.string(),
    interval: z.string(),
    price_id: z.string(),
    is_active: z.boolean(),
    members: z.number(),
    former_price_members: z.number(),
    prices: z.array(
      z.object({
        price_id: z.string(),
        interval: z.string(),
        amount_pence: z.nullable(z.number()),
        active_from: z.string(),
        retired_at: time,
        members: z.number(),
      }),
    ),
    last_event_at: time,
    last_check_at: time,
  }),
);

const toTime = (text: string | null | undefined) => (text ? Date.parse(text) : null);

/** Throws the database's error. */
export async function fetchPlanOverview(client: BackendClient): Promise<PlansOverview> {
  const { data, error } = await client.rpc("plan_overview");
  if (error) throw error;
  const plans = rows.parse(data);
  return {
    plans: plans.map((row) => ({
      id: row.id,
      name: row.name,
      pence: row.amount_pence,
      currency: row.currency,
      interval: row.interval,
      priceId: row.price_id,
      isActive: row.is_active,
      members: row.members,
      formerPriceMembers: row.former_price_members,
      prices: row.prices.map((each) => ({
        priceId: each.price_id,
        interval: each.interval === "year" ? "year" : "month",
        pence: each.amount_pence,
        activeFrom: Date.parse(each.active_from),
        retiredAt: toTime(each.retired_at),
        members: each.members,
      })),
    })),
    lastEventAt: toTime(plans[0]?.last_event_at),
    lastCheckAt: toTime(plans[0]?.last_check_at),
  };
}
