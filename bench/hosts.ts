import { spawn, type ChildProcess } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { shareFiles } from "../tests/support/shared-files.ts";
import { freePort, projectRoot } from "../tests/support/spawn-product.ts";

const jwtSecret = "bench-secret-of-at-least-thirty-two-characters";
const project = fileURLToPath(new URL("../tests/fixtures/other-project", import.meta.url));

/** Hosts of the fixture project over one database, each in a process of its own. */
export interface Hosts {
  urls: string[];
  anonKey: string;
  pids: number[];
  stop: () => Promise<void>;
}

/** An access token of an account that need not exist. */
export function tokenOf(sub: string): string {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { sub, exp, role: "authenticated", aud: "authenticated" };
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${text}.${createHmac("sha256", jwtSecret).update(text).digest("base64url")}`;
}

/** The address of a host's sockets, as the official client asks for it. */
export const socketUrl = (url: string, anonKey: string) =>
  `${url}/realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0`;

/** Members who may read every room, and what each sends to hear of `bench_messages` in room 1. */
export async function joinsOf(owner: pg.Client, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await owner.query("insert into ranks (user_id, level) select unnest($1::uuid[]), 4", [ids]);
  const filter = {
    event: "INSERT",
    schema: "public",
    table: "bench_messages",
    filter: "room_id=eq.1",
  };
  return ids.map((sub) =>
    JSON.stringify([
      "1",
      "1",
      "realtime:room",
      "phx_join",
      { config: { postgres_changes: [filter] }, access_token: tokenOf(sub) },
    ]),
  );
}

/** @param settings variables of each host besides those that all have */
export async function startHosts(
  count: number,
  databaseUrl: string,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Hosts> {
  const children: ChildProcess[] = [];
  const urls: string[] = [];
  let anonKey = "";
  for (let at = 0; at < count; at += 1) {
    const port = await freePort();
    const dataDir = join(folder, `host-${randomUUID()}`);
    await shareFiles(databaseUrl, dataDir);
    const child = spawn(
      process.execPath,
      [join(projectRoot, "node_modules", ".bin", "basehost"), "--project", project],
      {
        env: {
          ...process.env,
          PORT: String(port),
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl,
          DATABASE_CONNECTIONS: "29",
          SUPABASE_JWT_SECRET: jwtSecret,
          LOG_LEVEL: "warn",
          // The load comes from one address.
          ADDRESS_REQUESTS_PER_SECOND: "100000",
          ANONYMOUS_REQUESTS_PER_SECOND: "100000",
          ...settings,
        },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    children.push(child);
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const ended = once(child, "close").then(() => {
      throw new Error("A host did not start.");
    });
    ended.catch(() => undefined);
    while (!text.includes("service role key"))
      await Promise.race([once(child.stdout, "data"), ended]);
    anonKey = /^anon key\s+(\S+)$/m.exec(text)?.[1] ?? "";
    urls.push(`http://127.0.0.1:${port}`);
  }
  return {
    urls,
    anonKey,
    pids: children.map(({ pid = 0 }) => pid),
    stop: async () => {
      for (const child of children) {
        child.kill("SIGTERM");
        await once(child, "close");
      }
    },
  };
}
