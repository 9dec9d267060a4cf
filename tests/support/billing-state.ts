import type { BillingFixture } from "./billing.ts";

/** Tables that hold what is known about payments, by schema and name. */
const billingTables = [
  "public.stripe_customers",
  "public.stripe_subscriptions",
  "public.invoices",
  "private.billing_attempts",
  "private.billing_sync_versions",
  "private.billing_readings",
  "private.billing_charges",
  "private.billing_events",
  "private.billing_checks",
  "private.payment_records",
  "private.balance_transactions",
  "private.balance_reading",
  "private.vat_documents",
  "private.vat_document_numbers",
  "private.account_flags",
  "private.audit_log",
  "private.email_outbox",
] as const;

type Json = Record<string, unknown>;
/** All rows of the billing tables, and every account's role. */
export type BillingDump = Readonly<Record<string, Json[]>>;

export async function dumpBilling(billing: BillingFixture): Promise<BillingDump> {
  const dump: Record<string, Json[]> = {};
  for (const table of billingTables) {
    const [row] = await billing.sql<{ rows: Json[] }>(
      `select coalesce(jsonb_agg(to_jsonb(t)), '[]') as rows from ${table} t`,
    );
    dump[table] = row?.rows ?? [];
  }
  const profiles = "select id, role from public.profiles";
  dump["public.profiles"] = await billing.sql(profiles);
  return dump;
}

/** Puts every billing table back, without its triggers. */
export async function restoreBilling(billing: BillingFixture, dump: BillingDump): Promise<void> {
  const quoted = (rows: Json[]) => `'${JSON.stringify(rows).replaceAll("'", "''")}'`;
  const statements = billingTables.map(
    (table) => `delete from ${table}; insert into ${table} overriding system value
      select * from jsonb_populate_recordset(null::${table}, ${quoted(dump[table] ?? [])}::jsonb);`,
  );
  await billing.sql(`begin; set local session_replication_role = replica; ${statements.join("\n")}
    update public.profiles p set role = r.role
    from jsonb_populate_recordset(null::public.profiles, ${quoted(dump["public.profiles"] ?? [])}::jsonb) r
    where p.id = r.id; commit`);
}

/** Columns that differ from run to run: times of this server's clock, tickets, and generated ids. */
const runColumns: Readonly<Record<string, readonly string[]>> = {
  "public.stripe_customers": ["created_at", "updated_at"],
  "public.stripe_subscriptions": ["id", "created_at", "updated_at"],
  "public.invoices": ["updated_at"],
  "private.billing_readings": ["ticket", "written", "digest"],
  "private.payment_records": ["id", "recorded_at"],
  "private.balance_transactions": [],
  // Documents are numbered as the readings come.
  "private.vat_documents": ["number", "corrects", "issued_at"],
  "private.account_flags": ["created_at", "flagged_at"],
};

/** Which subscription is the current one is kept as a time. */
function comparable(table: string, row: Json): Json {
  const dropped = runColumns[table] ?? [];
  const kept = Object.fromEntries(Object.entries(row).filter(([name]) => !dropped.includes(name)));
  return "deleted_at" in kept ? { ...kept, deleted_at: kept["deleted_at"] !== null } : kept;
}

const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();

/** Money, access and role: what must be the same after every order of events. */
export function billingState(dump: BillingDump): Json {
  const records = dump["private.payment_records"] ?? [];
  // A state of a dispute that no reading met is not recorded; its last one is.
  const isLast = (row: Json) =>
    row["kind"] !== "dispute" || ["won", "lost"].includes(String(row["status"]));
  return {
    ...Object.fromEntries(
      Object.keys(runColumns)
        .filter((table) => table !== "private.payment_records")
        .map((table) => [
          table,
          // A copy of the provider whose clock passes midnight makes a payout of its own.
          sorted(
            (dump[table] ?? [])
              .filter(({ category }) => category !== "payout")
              .map((row) => comparable(table, row)),
          ),
        ]),
    ),
    "private.payment_records": sorted(
      records.filter(isLast).map((row) => comparable("private.payment_records", row)),
    ),
    open_attempts: (dump["private.billing_attempts"] ?? []).filter(
      ({ state }) => state !== "paid" && state !== "failed",
    ),
    roles: sorted(dump["public.profiles"] ?? []),
  };
}

/** Templates about a state that may be over before any reading meets it. */
const passingTemplates = new Set([
  "payment_disputed",
  "course_disputed",
  "payment_failed",
  "plan_changed",
  "membership_cancelled",
  "pause_begun",
]);

/** Causes of e-mails: `lasting` ones follow from what stays true, `passing` ones from a change that was seen. */
export function emailCauses(dump: BillingDump): { lasting: string[]; passing: string[] } {
  const rows = dump["private.email_outbox"] ?? [];
  const isPassing = ({ template }: Json) => passingTemplates.has(String(template));
  // The third part names the reading, or the period.
  const withoutReading = (row: Json) => String(row["cause_key"]).split(":").slice(0, 2).join(":");
  return {
    lasting: rows
      // A withdrawal is the member's call, which no order of events makes again.
      .filter((row) => !isPassing(row) && row["template"] !== "membership_withdrawn")
      .map(({ cause_key }) => String(cause_key))
      .toSorted(),
    passing: rows.filter(isPassing).map(withoutReading).toSorted(),
  };
}

/** What the product did at the provider of its own accord. */
export function auditedActs(dump: BillingDump): string[] {
  return sorted(
    (dump["private.audit_log"] ?? []).map(({ action, detail }) => ({
      action,
      // The provider does not say since when it collects nothing: a pause made there begins with the period that is read.
      detail: action === "membership.pause_ended" ? { ...Object(detail), begins_at: null } : detail,
    })),
  );
}
