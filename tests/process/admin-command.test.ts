import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, describe, expect, inject, it } from "vitest";
import { startHost } from "../../host/src/host.ts";
import { anonymous, newEmail, ownerPool, signUp } from "../support/clients.ts";
import { ROOT, spawnScript } from "../support/spawn-product.ts";

const host = inject("host");
const owner = ownerPool();
afterAll(async () => await owner.end());

const COMMAND = join(ROOT, "tools", "admin.ts");

async function run(args: string[], env: Record<string, string>) {
  const spawned = spawnScript([COMMAND, ...args], env, ROOT);
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

describe("npm run admin -- create EMAIL", () => {
  const running = { DATA_DIR: host.dataDir, SUPABASE_JWT_SECRET: host.jwtSecret };

  it("makes an administrator while the product runs, and leaves it running", async () => {
    const email = newEmail();
    const { code, output, password } = await run(["create", email], running);
    expect([code, output]).toEqual([0, expect.stringContaining("new administrator")]);
    const { error } = await anonymous().auth.signInWithPassword({ email, password });
    expect(error).toBeNull();
    expect(await roleOf(email)).toBe("admin");
  });

  it("promotes an account that is there, with a new password and no old session", async () => {
    const { email, client } = await signUp();
    const { code, password } = await run(["create", email.toUpperCase()], running);
    expect(code).toBe(0);
    expect((await client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    const { error } = await anonymous().auth.signInWithPassword({ email, password });
    expect(error).toBeNull();
    expect(await roleOf(email)).toBe("admin");
  });

  it("works while the product is stopped", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fourfold-admin-"));
    const env = { PORT: "0", DATA_DIR: join(folder, "data") };
    const options = { env, root: ROOT, log: pino({ level: "silent" }) };
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
