import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, inject, test as base } from "vitest";

/** One row as JSON-like values. */
export type Row = Record<string, unknown>;

type Plan = "student-access" | "mentor-access";

/** Who runs a statement: an account by its id, or "anon", "service_role" or "owner" (of the database). */
export type Actor = string;

export const requiredAnswers: readonly (readonly [number, string, string])[] = [
  [6, "current_situation", "Employed"],
  [6, "biggest_challenge", "Time"],
  [6, "goals_6_months", "Three clients"],
  [6, "goals_1_year", "Half my income"],
  [6, "motivation", "Freedom"],
  [6, "commitment_level", "8"],
  [7, "first_name", "Ada"],
  [7, "last_name", "Byron"],
  [7, "occupation", "Engineer"],
];

/** A transaction for test data, which is rolled back at the end. */
export class World {
  readonly #client: pg.Client;
  /** Claims that name the server which issued the members' tokens, and when. None by default. */
  issuer: { readonly iss?: string; readonly iat?: number } = {};
  /** Accounts whose session has a second factor. */
  readonly #verified = new Set<string>();

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Runs one statement as an actor. A failure rolls back this statement only and is thrown. */
  async run(actor: Actor, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#execute(actor, sql, values)).rows;
  }

  /** How many rows a statement touched. */
  async count(actor: Actor, sql: string, values: readonly unknown[] = []): Promise<number> {
    return (await this.#execute(actor, sql, values)).rowCount ?? 0;
  }

  async one(actor: Actor, sql: string, values: readonly unknown[] = []): Promise<Row> {
    const rows = await this.run(actor, sql, values);
    expect(rows, sql).toHaveLength(1);
    return rows[0] ?? {};
  }

  /** Expects a statement to be refused with this SQLSTATE. */
  async refused(actor: Actor, code: string, sql: string, values: readonly unknown[] = []) {
    const outcome = await this.run(actor, sql, values).then(
      () => "it was accepted",
      (error: { code?: string; message: string }) => error.code ?? error.message,
    );
    expect(outcome, sql).toBe(code);
  }

  /** Runs the statement of an API insert. */
  async insert(actor: Actor, table: string, row: Row): Promise<Row> {
    const [sql, values] = insertStatement(table, row);
    return await this.one(actor, `${sql} returning *`, values);
  }

  /** Runs the statement of an API upsert: every sent column is also set on conflict. */
  async upsert(actor: Actor, table: string, row: Row, key = "user_id"): Promise<Row> {
    return await this.one(actor, ...upsertStatement(table, row, key));
  }

  async #execute(actor: Actor, sql: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const client = this.#client;
    await client.query("savepoint before_statement");
    try {
      if (actor !== "owner") {
        const known = actor === "anon" || actor === "service_role";
        const role = known ? actor : "authenticated";
        const claims = { role, ...(known ? {} : this.#claimsOf(actor)) };
        await client.query(
          "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)",
          [role, JSON.stringify(claims)],
        );
      }
      const result = await client.query<Row>(sql, [...values]);
      await client.query("reset role; release savepoint before_statement");
      return result;
    } catch (error) {
      await client.query("rollback to savepoint before_statement; reset role");
      throw error;
    }
  }

  #claimsOf(account: string): Row {
    const aal = this.#verified.has(account) ? "aal2" : "aal1";
    return {
      ...this.issuer,
      sub: account,
      email: `${account}@example.test`,
      session_id: account,
      aal,
    };
  }

  /** A new account with nothing but an e-mail address, and a session under the same id. */
  async account(): Promise<string> {
    const id = randomUUID();
    await this.run("owner", "insert into auth.users (id, email) values ($1, $2)", [
      id,
      `${id}@example.test`,
    ]);
    await this.run(
      "owner",
      "insert into auth.sessions (id, user_id, aal) values ($1, $1, 'aal1')",
      [id],
    );
    return id;
  }

  /** Gives an account a second factor; its session has used it unless `shown` is false. */
  async addFactor(account: string, { shown = true } = {}): Promise<void> {
    await this.run(
      "owner",
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
         values ($1, $1, 'Phone', 'totp', 'verified')`,
      [account],
    );
    if (!shown) return;
    this.#verified.add(account);
    await this.run("owner", "update auth.sessions set aal = 'aal2', factor_id = $1 where id = $1", [
      account,
    ]);
  }

  /** The session of an account that another world made has used its second factor. */
  verify(account: string): void {
    this.#verified.add(account);
  }

  /** Gives an account a current subscription; the earlier one is kept as replaced. */
  async subscribe(user: string, plan: Plan = "student-access", status = "active"): Promise<void> {
    await this.run(
      "owner",
      `insert into public.stripe_customers (customer_id, user_id) values ('cus_' || $1::text, $1::uuid)
         on conflict do nothing`,
      [user],
    );
    await this.run(
      "owner",
      `update public.stripe_subscriptions set deleted_at = now() where customer_id = 'cus_' || $1 and deleted_at is null`,
      [user],
    );
    await this.run(
      "owner",
      `insert into public.stripe_subscriptions (customer_id, subscription_id, status, price_id)
         select 'cus_' || $1, 'sub_' || gen_random_uuid(), $3, price_id from public.plans where id = $2`,
      [user, plan, status],
    );
  }

  /** Changes the status of the current subscription, as the webhook would. */
  async setSubscriptionStatus(user: string, status: string): Promise<void> {
    await this.run(
      "owner",
      `update public.stripe_subscriptions set status = $2 where customer_id = 'cus_' || $1 and deleted_at is null`,
      [user, status],
    );
  }

  /** Answers every required question, except those left out. */
  async answer(user: string, except: readonly string[] = []): Promise<void> {
    for (const [page_number, question, answer] of requiredAnswers) {
      if (except.includes(question)) continue;
      const row = { user_id: user, page_number, question, answer };
      await this.upsert(user, "onboarding_responses", row, "user_id, page_number, question");
    }
  }

  /** Stores an object under a name, as the storage service would after its checks. */
  async store(name: string, bucket = "verification-documents"): Promise<void> {
    await this.run("owner", "insert into storage.objects (bucket_id, name) values ($1, $2)", [
      bucket,
      name,
    ]);
  }

  /** Uploads and submits a document. @returns the new verification row. */
  async handIn(user: string, stamp = String(Date.now())): Promise<Row> {
    const document_url = `${user}-verification-${stamp}.png`;
    await this.store(document_url);
    return await this.insert(user, "user_verifications", {
      user_id: user,
      document_type: "passport",
      document_url,
      status: "pending",
    });
  }

  /** Submits and rejects a document this many times. */
  async reject(user: string, times: number, admin: string): Promise<void> {
    for (let attempt = 1; attempt <= times; attempt += 1) {
      const row = await this.handIn(user, `7${attempt}`);
      await this.run(admin, "select public.review_verification($1, 'rejected', 'Not readable')", [
        row["id"],
      ]);
    }
  }

  /** Opens a document as an administrator and approves it; the version is the one that was handed in. */
  async approve(admin: string, verification: unknown): Promise<void> {
    await this.run(admin, "select public.open_verification_document($1)", [verification]);
    const version = "select version from private.document_pins where verification_id = $1";
    const pinned = await this.one("owner", version, [verification]);
    await this.run(admin, "select public.review_verification($1, 'approved', null, $2)", [
      verification,
      pinned["version"],
    ]);
  }

  /** An account that has only signed up. */
  async newcomer(): Promise<string> {
    const id = await this.account();
    await this.insert(id, "profiles", { id, role: "student", onboarding_complete: false });
    return id;
  }

  /** An account that has paid and completed all nine onboarding steps with the calls of the app. */
  async member(plan: Plan = "student-access"): Promise<string> {
    const id = await this.newcomer();
    await this.subscribe(id, plan);
    await this.run("owner", "select private.set_role_from_plan($1, private.plan_role($1))", [id]);
    await this.answer(id);
    const names = { first_name: "Ada", last_name: "Byron", occupation: "Engineer" };
    await this.upsert(id, "profiles", { id, ...names }, "id");
    await this.handIn(id);
    await this.run(id, "update public.profiles set onboarding_complete = true where id = $1", [id]);
    await this.upsert(id, "user_levels", {
      user_id: id,
      current_level: 1,
      unlocked_levels: [0, 1],
    });
    return id;
  }

  /** An administrator who has entered the code of a second factor. */
  async admin(): Promise<string> {
    const id = await this.plainAdmin();
    await this.addFactor(id);
    return id;
  }

  /** An administrator who has just entered a code, or so many minutes ago. */
  async freshAdmin(minutesAgo = 0): Promise<string> {
    const id = await this.admin();
    await this.run(
      "owner",
      `insert into auth.mfa_amr_claims (session_id, authentication_method, updated_at)
         values ($1, 'totp', now() - make_interval(mins => $2))`,
      [id, minutesAgo],
    );
    return id;
  }

  /** An administrator without a second factor. */
  async plainAdmin(): Promise<string> {
    const id = await this.account();
    await this.run("owner", "select private.make_admin($1)", [id]);
    return id;
  }
}

function parts(row: Row): [string, string, unknown[]] {
  const columns = Object.keys(row);
  return [columns.join(", "), columns.map((_, i) => `$${i + 1}`).join(", "), Object.values(row)];
}

/**
 * The text and values of an API insert without returned rows. Returning rows would add the select policy, which
 * refuses another account's row even where the insert policy does not.
 */
export function insertStatement(table: string, row: Row): [string, unknown[]] {
  const [columns, places, values] = parts(row);
  return [`insert into public.${table} (${columns}) values (${places})`, values];
}

/** The text and values of an upsert as the API writes it. */
export function upsertStatement(table: string, row: Row, key: string): [string, unknown[]] {
  const [columns, places, values] = parts(row);
  const sets = Object.keys(row).map((column) => `${column} = excluded.${column}`);
  const sql = `insert into public.${table} (${columns}) values (${places})
    on conflict (${key}) do update set ${sets.join(", ")} returning *`;
  return [sql, values];
}

/** Opens a connection as the owner login of the database under test. */
export async function connectTestOwner(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: inject("host").databaseUrl });
  await client.connect();
  return client;
}

/** Waits until a connection waits for a lock. */
export async function untilBlocked(watcher: pg.Client, pid: number): Promise<void> {
  const sql = "select wait_event_type = 'Lock' as waits from pg_stat_activity where pid = $1";
  const isWaiting = async () =>
    (await watcher.query<{ waits: boolean | null }>(sql, [pid])).rows[0]?.waits;
  await expect.poll(isWaiting, { interval: 10 }).toBe(true);
}

/** A test with its own world. The tests of a file share a connection, which keeps its caches warm. */
export const test = base.extend<{ owner: pg.Client; world: World }>({
  owner: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads which fixtures are used from this pattern
    async ({}, use) => {
      const client = await connectTestOwner();
      await use(client);
      await client.end();
    },
    { scope: "file" },
  ],
  world: async ({ owner }, use) => {
    await owner.query("begin");
    await use(new World(owner));
    await owner.query("rollback");
  },
});
