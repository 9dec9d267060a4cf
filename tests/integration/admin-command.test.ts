import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { pino } from "pino";
import { afterAll, describe, expect, inject, it } from "vitest";
import { startHost } from "basehost";
import { anonymous, newEmail, ownerPool, signUp } from "../support/clients.ts";
import { enrollSecondFactor } from "../support/second-factor.ts";
import { copyPrepared } from "../support/prepared-folders.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";

const host = inject("host");
const owner = ownerPool();
afterAll(async () => await owner.end());

const command = join(projectRoot, "tools", "admin.ts");

async function run(args: string[], env: Record<string, string>) {
  const spawned = spawnScript([command, ...args], env, projectRoot);
  const code = await spawned.ended;
  const output = spawned.output();
  return { code, output, password: /One-time password: (\S+)/.exec(output)?.[1] ?? "" };
}

async function roleOf(email: string): Promise<string | undefined> {
  const { rows } = await owner.query<{ role: string }>(
    "select p.role from public.profiles p join auth.users u on u.id = p.id where u.email = $1",
    [email],
  );
  return rows[0]?.role;
}

const ownPassword = "Quarry-Lantern-77?";

/** Signs in with the one-time password and replaces it. */
async function choosePassword(email: string, oneTime: string): Promise<SupabaseClient> {
  const client = anonymous();
  const { error } = await client.auth.signInWithPassword({ email, password: oneTime });
  if (error) throw error;
  const change = { password: ownPassword, current_password: oneTime };
  const changed = await client.auth.updateUser(change);
  if (changed.error) throw changed.error;
  expect(changed.data.user.app_metadata).not.toHaveProperty("password_expires_at");
  return client;
}

/** As `choosePassword`, and sets up the second factor that administrators need. */
async function becomeAdmin(email: string, oneTime: string): Promise<SupabaseClient> {
  const client = await choosePassword(email, oneTime);
  expect((await client.from("profiles").select("id")).error?.code).toBe("FF008");
  await enrollSecondFactor(client);
  return client;
}

/** True when an account may read the profile of an account without membership, as only administrators may. */
async function seesOthers(client: SupabaseClient): Promise<boolean> {
  const other = await signUp();
  const row = { id: other.id, onboarding_complete: false, role: "student" };
  expect((await other.client.from("profiles").insert(row)).error).toBeNull();
  const { data, error } = await client.from("profiles").select("id");
  if (error) throw new Error(error.message);
  return data.length > 1;
}

describe("npm run admin -- create EMAIL", () => {
  const running = { DATA_DIR: host.dataDir, SUPABASE_JWT_SECRET: host.jwtSecret };

  it("makes an administrator while the product runs, and leaves it running", async () => {
    const email = newEmail();
    const { code, output, password } = await run(["create", email], running);
    expect([code, output]).toEqual([0, expect.stringContaining("becomes an administrator")]);
    expect(await seesOthers(await becomeAdmin(email, password))).toBe(true);
    expect(await roleOf(email)).toBe("admin");
    const again = await anonymous().auth.signInWithPassword({ email, password });
    expect(again.error?.code).toBe("invalid_credentials");
  });

  it("lets a second factor be set up where the one-time password was replaced, and nowhere else", async () => {
    const email = newEmail();
    const { password } = await run(["create", email], running);
    const client = await choosePassword(email, password);
    const thief = anonymous();
    const stolen = { email, password: ownPassword };
    expect((await thief.auth.signInWithPassword(stolen)).error).toBeNull();
    await expect(enrollSecondFactor(thief)).rejects.toMatchObject({ status: 403, code: "PT403" });
    expect((await thief.from("profiles").select("id")).error?.code).toBe("FF009");
    await enrollSecondFactor(client, "Own phone");
    expect(await seesOthers(client)).toBe(true);
  });

  it("gives no rights before the password is replaced", async () => {
    const email = newEmail();
    const { password } = await run(["create", email], running);
    const client = anonymous();
    const { data } = await client.auth.signInWithPassword({ email, password });
    expect(data.user?.app_metadata).toHaveProperty("password_expires_at");
    expect(await roleOf(email)).toBe("student");
    expect(await seesOthers(client)).toBe(false);
    const { data: level } = await client.rpc("effective_level");
    expect(level).toBe(0);
    // A session alone changes nothing: the one-time password has to be shown once more.
    const bare = await client.auth.updateUser({ password: ownPassword });
    expect(bare.error?.code).toBe("current_password_required");
    expect(await roleOf(email)).toBe("student");
  });

  it("takes the rights of an administrator back until the new password is replaced", async () => {
    const email = newEmail();
    const client = await choosePassword(email, (await run(["create", email], running)).password);
    expect(await roleOf(email)).toBe("admin");
    const { password } = await run(["create", email], running);
    expect(await roleOf(email)).toBe("student");
    expect((await client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    const fresh = anonymous();
    await fresh.auth.signInWithPassword({ email, password });
    const change = { password: "Harbour-Violet-19?", current_password: password };
    expect((await fresh.auth.updateUser(change)).error).toBeNull();
    expect(await roleOf(email)).toBe("admin");
  });

  it("prints a password that works for a day", async () => {
    const email = newEmail();
    const { password } = await run(["create", email], running);
    const client = anonymous();
    await client.auth.signInWithPassword({ email, password });
    await owner.query(
      `update auth.users set raw_app_meta_data = raw_app_meta_data ||
         jsonb_build_object('password_expires_at', now() - interval '1 second') where email = $1`,
      [email],
    );
    await owner.query(
      `update private.pending_admins set expires_at = now() - interval '1 second'
        where user_id = (select id from auth.users where email = $1)`,
      [email],
    );
    const late = await anonymous().auth.signInWithPassword({ email, password });
    expect(late.error?.code).toBe("one_time_password_expired");
    // Nor does a session that is still open make an administrator of the account any more.
    const change = { password: ownPassword, current_password: password };
    await client.auth.updateUser(change);
    expect(await roleOf(email)).toBe("student");
  });

  it("promotes an account that is there, with a new password and no old session", async () => {
    const { email, client } = await signUp();
    const { code, password } = await run(["create", email.toUpperCase()], running);
    expect(code).toBe(0);
    expect((await client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    await choosePassword(email, password);
    expect(await roleOf(email)).toBe("admin");
  });

  it("voids second factor and recovery codes of the account, and says so", async () => {
    const { id, email, client } = await signUp();
    await enrollSecondFactor(client);
    expect((await client.rpc("generate_recovery_codes")).error).toBeNull();
    await owner.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
       values (gen_random_uuid(), $1, 'A key', 'webauthn', 'verified')`,
      [id],
    );
    const { code, output, password } = await run(["create", email], running);
    expect(code).toBe(0);
    expect(output).toContain("second factors and recovery codes are void");
    for (const table of ["auth.mfa_factors", "private.recovery_codes"]) {
      const { rowCount } = await owner.query(`select 1 from ${table} where user_id = $1`, [id]);
      expect(rowCount, table).toBe(0);
    }
    await choosePassword(email, password);
    expect(await roleOf(email)).toBe("admin");
  });

  it("works while the product is stopped", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fourfold-admin-"));
    const env = { PORT: "0", DATA_DIR: join(folder, "data") };
    const options = { env, root: projectRoot, log: pino({ level: "silent" }) };
    await copyPrepared("schema", env.DATA_DIR);
    await (await startHost(options)).stop();
    const email = newEmail();
    const { code, password } = await run(["create", email], { DATA_DIR: env.DATA_DIR });
    expect(code).toBe(0);
    const again = await startHost(options);
    const answer = await fetch(`${again.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { apikey: again.context.keys.api.anonKey },
      body: JSON.stringify({ email, password }),
    });
    expect(answer.status).toBe(200);
    await again.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("says in one sentence what is wrong", async () => {
    const missing = { DATA_DIR: join(tmpdir(), "there-is-no-such-install") };
    for (const [args, env, words] of [
      [[], running, "Usage: npm run admin -- create EMAIL"],
      [["create", "nobody"], running, "Unable to validate email address"],
      [["create", "a@example.test"], missing, "run npm start once first"],
    ] as const) {
      const { code, output } = await run([...args], env);
      expect(code).toBe(1);
      expect(output).toContain(words);
      expect(output.trim().split("\n")).toHaveLength(1);
    }
  });
});
