import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { databaseProcesses, processTree } from "../support/process-tree.ts";
import { freePort, spawnBound, type Spawned } from "../support/spawn-product.ts";

const jwtSecret = "attack-secret-of-more-than-thirty-two-characters";
const readyText = "Fourfold is ready";

/** The product as `npm start` serves it, without demo data, in its own processes. */
export interface AttackedProduct {
  url: string;
  serviceRoleKey: string;
  /** The server process. Its id changes when it is restarted. */
  serverPid: () => number | undefined;
  /** Megabytes in memory. */
  memory: () => { host: number; postgres: number };
  output: () => string;
  stop: () => Promise<void>;
}

function serviceRoleKey(): Promise<string> {
  return new SignJWT({ role: "service_role" })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer("supabase")
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(jwtSecret));
}

/**
 * Proportional set size of a process in megabytes. Shared memory is divided among its users, so that the processes of
 * PostgreSQL can be added up. NaN where /proc cannot be read, and 0 for a process that has just ended.
 */
export function megabytesOf(pid: number, proc = "/proc"): number {
  if (!existsSync(`${proc}/self/smaps_rollup`)) return Number.NaN;
  try {
    const text = readFileSync(`${proc}/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? Number.NaN) / 1024;
  } catch {
    return 0;
  }
}

export async function startAttackedProduct(): Promise<AttackedProduct> {
  const folder = await mkdtemp(join(tmpdir(), "fourfold-attack-"));
  const dataDir = join(folder, "data");
  const port = await freePort();
  const spawned: Spawned = spawnBound(["tools/start.mjs"], {
    DATA_DIR: dataDir,
    PORT: `${port}`,
    DEMO: "0",
    SUPABASE_JWT_SECRET: jwtSecret,
    LOG_LEVEL: "fatal",
  });
  await spawned.says(readyText);
  const serverPid = () =>
    processTree(spawned.child.pid ?? 0).find(({ command }) => command.includes("tools/serve.ts"))
      ?.pid;
  return {
    url: `http://127.0.0.1:${port}`,
    serviceRoleKey: await serviceRoleKey(),
    serverPid,
    memory: () => ({
      host: megabytesOf(serverPid() ?? 0),
      postgres: databaseProcesses(dataDir).reduce((sum, { pid }) => sum + megabytesOf(pid), 0),
    }),
    output: spawned.output,
    stop: async () => {
      spawned.child.kill("SIGTERM");
      await spawned.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
