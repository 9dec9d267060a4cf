import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { expect, it } from "vitest";
import { freePort, projectRoot, spawnScript } from "../support/spawn-product.ts";

it("serves a supabase/ folder that has nothing to do with the product", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "host-alone-"));
  const port = await freePort();
  const host = spawnScript(
    [
      join(projectRoot, "tools", "host.mjs"),
      "--project",
      join(projectRoot, "tests", "fixtures", "other-project"),
      "--port",
      `${port}`,
      "--data",
      join(dataDir, "data"),
    ],
    {},
    dataDir,
  );
  try {
    await host.says("service role key");
    const url = `http://127.0.0.1:${port}`;
    const anonKey = /anon key\s+(\S+)/.exec(host.output())?.[1] ?? "";
    const client = createClient(url, anonKey, { auth: { persistSession: false } });

    const { data: account, error } = await client.auth.signUp({
      email: "visitor@example.test",
      password: "Correct-Horse-42!",
    });
    expect(error).toBeNull();
    expect(account.session?.access_token).toBeTruthy();

    const missing = await client.from("profiles").select();
    expect(missing.error?.code).toBe("PGRST205");
    const hello = await client.functions.invoke("hello");
    expect(hello.error).toBeNull();
    // No web app and no sandbox come with the host alone.
    expect((await fetch(`${url}/sandbox/stripe/v3/`)).status).toBe(404);
  } finally {
    host.child.kill("SIGTERM");
    expect(await host.ended).toBe(0);
    await rm(dataDir, { recursive: true, force: true });
  }
});
