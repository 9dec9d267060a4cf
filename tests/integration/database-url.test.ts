import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBinaries, splitStatements } from "basehost/database";
import { finishOnboarding, onePixelPng } from "../../tools/demo/join.ts";
import { changesOf } from "../contract/realtime/listeners.ts";
import { productJwtSecret, startTestProduct } from "../support/backend-setup.ts";
import { BillingFixture, studentPlan, type Payer } from "../support/billing.ts";
import { startCleanCluster, type CleanCluster } from "../support/clean-cluster.ts";
import { testPassword } from "../support/clients.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";
import { ensureSystemPostgres } from "../support/system-postgres.ts";
import { timeLimitMs } from "../support/time-limits.ts";

type Started = Awaited<ReturnType<typeof startTestProduct>>;
/** The exit code that tells a supervisor not to try again. */
const refusedToStart = 78;
const loginPassword = "a-password-of-our-own";
const person = { firstName: "Ada", lastName: "Byron", occupation: "Engineer", bio: "" };

/** The statements of docs/database-login.sql, typed as they stand but for the password. */
async function documentedStatements(): Promise<string[]> {
  const sql = await readFile(join(projectRoot, "docs", "database-login.sql"), "utf8");
  return splitStatements(sql.replaceAll("CHANGE-ME", loginPassword));
}

/** Runs a command of the product in a folder without `.env`, and answers with its exit code and words. */
async function command(script: string, env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "database-url-"));
  const spawned = spawnScript(
    [join(projectRoot, "tools", script)],
    { DATA_DIR: join(folder, "data"), PORT: "0", DEMO: "0", ...env },
    folder,
  );
  const code = await spawned.ended;
  await rm(folder, { recursive: true, force: true });
  return { code, output: spawned.output() };
}

async function member(billing: BillingFixture): Promise<Payer> {
  const ada = await billing.payer();
  expect(await billing.pay(ada, studentPlan)).toMatchObject({
    status: 200,
    body: { success: true },
  });
  await finishOnboarding(ada.client, ada.id, person);
  return ada;
}

describe.each([
  ["the embedded server's programs", async () => await findBinaries()],
  ["the system's PostgreSQL", async () => await Promise.resolve(ensureSystemPostgres())],
])("a clean cluster of %s", (_, binaries) => {
  let cluster: CleanCluster;
  const hosts: Started[] = [];
  const fixtures: BillingFixture[] = [];
  // May install the system's PostgreSQL first.
  beforeAll(async () => {
    cluster = await startCleanCluster(await binaries());
  }, timeLimitMs(300));
  afterAll(async () => {
    for (const billing of fixtures) await billing.close();
    for (const host of hosts) await host.stop();
    await cluster.stop();
  });

  it("is refused with every required change and its statement", async () => {
    await cluster.run([
      `create role weak login password '${loginPassword}' noinherit`,
      "create role anon",
      "create database latin encoding 'LATIN1' locale 'C' template template0",
    ]);
    await cluster.run(['drop collation pg_catalog."und-x-icu"'], "latin");
    const url = cluster.url("latin", "weak", loginPassword);
    const wanted = [
      "use a PostgreSQL that is built with ICU",
      "alter role weak createrole;",
      "alter role weak bypassrls;",
      "alter role weak replication;",
      "alter role weak inherit;",
      "alter database latin owner to weak;",
      "create database … encoding 'UTF8' template template0;",
      "alter system set wal_level = 'logical';",
    ];
    for (const script of ["serve.ts", "doctor.ts"]) {
      const { code, output } = await command(script, { DATABASE_URL: url });
      expect(code).toBe(script === "serve.ts" ? refusedToStart : 1);
      expect(output).toContain("The database is not usable:");
      for (const statement of wanted) expect(output.replaceAll('"', "")).toContain(statement);
      expect(output).not.toContain("    at ");
    }
    await cluster.run(["drop database latin", "drop role weak", "drop role anon"]);
  });

  it("refuses the old login, CREATEROLE and BYPASSRLS alone, rather than fail half-way", async () => {
    await cluster.run([
      `create role old login createrole bypassrls password '${loginPassword}'`,
      "create database old encoding 'UTF8' template template0",
    ]);
    const DATABASE_URL = cluster.url("old", "old", loginPassword);
    const { code, output } = await command("serve.ts", { DATABASE_URL });
    expect(code).toBe(refusedToStart);
    expect(output).toContain('alter role "old" replication;');
    const client = new pg.Client({ connectionString: cluster.url("old") });
    await client.connect();
    const made = await client.query("select from pg_namespace where nspname = 'host'");
    await client.end();
    expect(made.rows).toEqual([]);
    await cluster.run(["drop database old", "drop role old"]);
  });

  it("serves the whole product to the login of docs/database-login.sql, over two hosts", async () => {
    await cluster.run(await documentedStatements());
    await cluster.restart();
    const DATABASE_URL = cluster.url("fourfold", "fourfold", loginPassword);
    await cluster.run(["alter system set max_replication_slots = 0"]);
    await cluster.restart();
    const full = await command("doctor.ts", { DATABASE_URL });
    expect(full.output).toContain("Nothing of max_replication_slots is free");
    await cluster.run(["alter system reset max_replication_slots"]);
    await cluster.restart();
    const doctor = await command("doctor.ts", { DATABASE_URL });
    expect(doctor.output).toContain("which the login fourfold can use");
    expect(doctor.output).toMatch(/WARNING: room for 2 more hosts .* max_slot_wal_keep_size is -1/);
    expect(doctor.code).toBe(0);
    await cluster.run([
      "alter system set max_slot_wal_keep_size = '4GB'",
      "select pg_reload_conf()",
    ]);
    const bounded = await command("doctor.ts", { DATABASE_URL });
    expect(bounded.output).toMatch(/^server room {2}room for 2 more hosts/m);

    hosts.push(await startTestProduct({ DATABASE_URL }));
    hosts.push(await startTestProduct({ DATABASE_URL }));
    const [here, there] = hosts.map(({ running, sandbox }) => new BillingFixture(running, sandbox));
    if (!here || !there) throw new Error("there are two hosts");
    fixtures.push(here, there);
    expect(await here.sql("select rolsuper from pg_roles where rolname = current_user")).toEqual([
      { rolsuper: false },
    ]);

    // Accounts, REST, functions, payment, onboarding and the upload of a document.
    const ada = await member(here);
    expect(await there.sql("select role from public.profiles where id = $1", [ada.id])).toEqual([
      { role: "student" },
    ]);
    const bob = there.client(there.host.anonKey);
    const signedIn = await bob.auth.signInWithPassword({
      email: ada.email,
      password: testPassword,
    });
    expect(signedIn.error).toBeNull();

    // A change made through one host is delivered by the other.
    const { arrivals, channel } = await changesOf(bob, { table: "chat_messages" });
    const sent = await ada.client.from("chat_messages").insert({
      user_id: ada.id,
      chat_room_id: "general",
      content: "Hello from the first host",
      message_type: "message",
    });
    expect(sent.error).toBeNull();
    expect((await arrivals.until(1))[0]?.new).toMatchObject({
      content: "Hello from the first host",
    });
    await bob.removeChannel(channel);

    // Storage and scheduled functions, then the end of the account.
    const upload = await ada.client.storage
      .from("learning-images")
      .upload(`${ada.id}-1.png`, onePixelPng, { contentType: "image/png" });
    expect(upload.error).toBeNull();
    const service = here.client(here.host.serviceRoleKey);
    for (const name of ["expire-room-leases", "purge-documents", "billing-reconcile"]) {
      expect((await here.call(service, name)).status, name).toBe(200);
    }
    const deleted = await here.call(ada.client, "delete-my-account", { password: testPassword });
    expect(deleted.status).toBe(200);
    expect(await here.sql("select from auth.users where id = $1", [ada.id])).toEqual([]);
  });

  it("refuses anonymous clients and members as the embedded install does", async () => {
    const DATABASE_URL = cluster.url("fourfold", "fourfold", loginPassword);
    const owner = new pg.Client({ connectionString: DATABASE_URL });
    await owner.connect();
    const { rows } = await owner.query(
      `select r.rolname from pg_roles r
        where r.rolname in ('anon', 'authenticated', 'authenticator', 'supabase_auth_admin', 'supabase_storage_admin')
          and (r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolreplication
               or pg_has_role(r.rolname, 'fourfold', 'member'))`,
    );
    await owner.end();
    expect(rows).toEqual([]);
    const [host] = hosts;
    const anonymous = await fetch(`${host?.running.url}/rest/v1/profiles`, {
      headers: { apikey: host?.running.anonKey ?? "" },
    });
    expect([200, 401]).toContain(anonymous.status);
    if (anonymous.status === 200) expect(await anonymous.json()).toEqual([]);
  });

  it("refuses a further host with another data key, and leaves the others as they are", async () => {
    const DATABASE_URL = cluster.url("fourfold", "fourfold", loginPassword);
    const passwords = async () => {
      const superuser = new pg.Client({ connectionString: cluster.url() });
      await superuser.connect();
      try {
        return (await superuser.query("select rolname, rolpassword from pg_authid")).rows;
      } finally {
        await superuser.end();
      }
    };
    const before = await passwords();
    const { code, output } = await command("serve.ts", { DATABASE_URL });
    expect(code).toBe(refusedToStart);
    expect(output).toContain("Set DATA_KEY to the database's, the same on every host");
    expect(output.trim().split("\n")).toHaveLength(1);
    expect(await passwords()).toEqual(before);
  });

  it("says so when the server does not let the host's own roles in", async () => {
    const DATABASE_URL = cluster.url("fourfold", "fourfold", loginPassword);
    await cluster.run(["alter role authenticator connection limit 0"]);
    const { code, output } = await command("serve.ts", {
      DATABASE_URL,
      SUPABASE_JWT_SECRET: productJwtSecret,
    });
    expect(code).toBe(refusedToStart);
    expect(output).toContain("The host cannot connect as authenticator");
    expect(output.trim().split("\n")).toHaveLength(1);
    await cluster.run(["alter role authenticator connection limit -1"]);
  });
});
