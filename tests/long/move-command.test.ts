import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { pino } from "pino";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Host, startHost } from "basehost";
import { withoutFileRules } from "../../tools/move/file-rules.ts";
import { runSupabaseCli } from "../../tools/supabase-cli.ts";
import { newEmail, testPassword } from "../support/clients.ts";
import { startHostedDatabase, type HostedDatabase } from "../support/hosted-database.ts";
import { copyPrepared } from "../support/prepared-folders.ts";
import { startS3Server, type S3Server } from "../support/s3-server.ts";
import { codesOf, enrollSecondFactor } from "../support/second-factor.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";

const bucket = "course-films";
let folder = "";
let project: HostedDatabase;
let files: S3Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-move-"));
  project = await startHostedDatabase();
  files = await startS3Server(bucket);
});
afterAll(async () => {
  await project.stop();
  await files.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Lets a host serve a data folder while `work` is done. */
async function serving<T>(name: string, work: (host: Host) => Promise<T>): Promise<T> {
  const host = await startHost({
    env: { PORT: "0", DATA_DIR: join(folder, name) },
    root: projectRoot,
    log: pino({ level: "silent" }),
    runSchedules: false,
  });
  try {
    return await work(host);
  } finally {
    await host.stop();
  }
}

function clientOf(host: Host, key: string): SupabaseClient {
  return createClient(host.url, key, { auth: { persistSession: false, autoRefreshToken: false } });
}

async function move(name: string, ...args: string[]) {
  const env = {
    DATA_DIR: join(folder, name),
    PROJECT_DATABASE_URL: project.url("postgres"),
    PROJECT_S3_ENDPOINT: files.env.S3_ENDPOINT,
    PROJECT_S3_REGION: "eu-west-2",
    PROJECT_S3_ACCESS_KEY_ID: files.env.S3_ACCESS_KEY_ID,
    PROJECT_S3_SECRET_ACCESS_KEY: files.env.S3_SECRET_ACCESS_KEY,
  };
  const run = spawnScript([join(projectRoot, "tools", "move.ts"), ...args], env, folder);
  return { code: await run.ended, output: run.output() };
}

/** A checksum of every table of the product, by its name, and where its sequences are. */
async function contents(host: Host): Promise<Record<string, unknown>> {
  const { rows: tables } = await host.context.db.admin.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'private') order by 1`,
  );
  const { rows: sequences } = await host.context.db.admin.query(
    "select sequencename, last_value from pg_sequences where schemaname in ('public', 'private') order by 1",
  );
  const found: Record<string, unknown> = { sequences };
  for (const { name } of tables) {
    const { rows } = await host.context.db.admin.query<{ sum: string | null }>(
      `select count(*) || ' ' || md5(string_agg(t::text, ' ' order by t::text)) as sum from ${name} t`,
    );
    found[name] = rows[0]?.sum;
  }
  return found;
}

it("takes an install to a hosted project and back with its accounts, second factors, rows and files", async () => {
  await copyPrepared("product", join(folder, "own"));
  await copyPrepared("schema", join(folder, "new"));
  const email = newEmail();
  const before = await serving("own", async (host) => {
    const server = clientOf(host, host.context.keys.api.serviceRoleKey);
    const { data } = await server.auth.admin.createUser({
      email,
      password: testPassword,
      email_confirm: true,
    });
    const member = clientOf(host, host.context.keys.api.anonKey);
    await member.auth.signInWithPassword({ email, password: testPassword });
    const { secret } = await enrollSecondFactor(member);
    await host.context.db.admin.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, web_authn_credential)
       values (gen_random_uuid(), $1, 'Blue key', 'webauthn', 'verified', $2)`,
      [data.user?.id, { id: "AAAA", publicKey: "BBBB" }],
    );
    const film = `${String(data.user?.id)}/words.vtt`;
    const uploaded = await server.storage
      .from(bucket)
      .upload(film, "WEBVTT\n", { contentType: "text/vtt", cacheControl: "60" });
    expect(uploaded.error).toBeNull();
    await host.context.db.admin.query(
      "begin; set local session_replication_role = replica; " +
        `update storage.objects set owner_id = '${data.user?.id}', owner = '${data.user?.id}' where name = '${film}'; commit`,
    );
    return { secret, film, id: data.user?.id, contents: await contents(host) };
  });

  expect(await move("own", "rows", "to-project")).toMatchObject({
    code: 78,
    output: expect.stringContaining("do not have the same migrations") as string,
  });
  const target = `--remote=${project.url("postgres")}?sslmode=disable`;
  await runSupabaseCli(["db", "push", target, "--yes"]);
  expect(await move("own", "rows", "to-project")).toMatchObject({
    code: 0,
    output: expect.stringContaining("1 accounts among them") as string,
  });
  expect(await move("own", "rows", "to-project")).toMatchObject({
    code: 78,
    output: expect.stringContaining("has accounts already; nothing was copied") as string,
  });
  for (const copied of [1, 0]) {
    expect(await move("own", "files", "to-project")).toMatchObject({
      code: 0,
      output: expect.stringContaining(
        `${copied} files copied and read back, ${1 - copied} were there`,
      ) as string,
    });
  }
  expect(await files.has("words.vtt")).toBe(true);
  const [account] = await project.query(
    "postgres",
    `select u.encrypted_password like '$argon2id$%' as hash, f.secret, o.owner_id, i.provider,
       array[u.confirmation_token, u.recovery_token, u.email_change_token_new, u.email_change] as pending
     from auth.users u join auth.mfa_factors f on f.user_id = u.id and f.factor_type = 'totp' join auth.identities i on i.user_id = u.id
     join storage.objects o on o.owner = u.id`,
  );
  // The auth service of a project reads secrets that are not encrypted.
  expect(account).toEqual({
    hash: true,
    secret: before.secret,
    owner_id: before.id,
    provider: "email",
    pending: ["", "", "", ""],
  });
  // An upload there gives its row another version, which the product refuses at any other time.
  const upload = async () =>
    await project.query(
      "supabase_admin",
      "update storage.objects set version = gen_random_uuid() where name = $1",
      [before.film],
    );
  await expect(upload()).rejects.toThrow("never changed");
  const client = new pg.Client({ connectionString: project.url("postgres") });
  await client.connect();
  await withoutFileRules({ own: client, project: client }, upload);
  await client.end();
  await expect(upload()).rejects.toThrow("never changed");

  expect(await move("new", "rows", "from-project")).toMatchObject({ code: 0 });
  expect(await move("new", "files", "from-project")).toMatchObject({ code: 0 });
  await serving("new", async (host) => {
    expect(await contents(host)).toEqual(before.contents);
    const member = clientOf(host, host.context.keys.api.anonKey);
    await member.auth.signInWithPassword({ email, password: testPassword });
    const { data } = await member.auth.mfa.listFactors();
    const keys = await host.context.db.admin.query(
      "select friendly_name, web_authn_credential as key from auth.mfa_factors where factor_type = 'webauthn' and status = 'verified'",
    );
    expect(keys.rows).toEqual([
      { friendly_name: "Blue key", key: { id: "AAAA", publicKey: "BBBB" } },
    ]);
    const code = codesOf(before.secret)();
    const factorId = data?.totp[0]?.id ?? "";
    const entered = await member.auth.mfa.challengeAndVerify({ factorId, code });
    expect(entered.error).toBeNull();
    const server = clientOf(host, host.context.keys.api.serviceRoleKey);
    const film = await server.storage.from(bucket).download(before.film);
    expect(await film.data?.text()).toBe("WEBVTT\n");
  });
});

it("says how it is used, and what is missing", async () => {
  expect(await move("own", "rows", "elsewhere")).toMatchObject({
    code: 78,
    output: expect.stringContaining("Usage") as string,
  });
  const run = spawnScript(
    [join(projectRoot, "tools", "move.ts"), "files", "to-project"],
    {
      DATA_DIR: join(folder, "own"),
      PROJECT_DATABASE_URL: project.url("postgres"),
      PROJECT_S3_ENDPOINT: files.env.S3_ENDPOINT,
    },
    folder,
  );
  await run.ended;
  expect(run.output()).toContain(
    "PROJECT_S3_REGION, PROJECT_S3_ACCESS_KEY_ID, PROJECT_S3_SECRET_ACCESS_KEY",
  );
});
