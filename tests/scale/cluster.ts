import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startEmbeddedPostgres } from "basehost/database";
import { startS3Server } from "../support/s3-server.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { prepareBalancer, type BalancerName } from "./balancers.ts";
import { endProcess } from "./end-process.ts";
import { startRelay } from "./relay.ts";
import { freePort, projectRoot } from "../support/spawn-product.ts";

const project = fileURLToPath(new URL("../fixtures/other-project", import.meta.url));
const metricsToken = "scale-metrics-token-of-thirty-two-characters";
const jwtSecret = "scale-secret-of-at-least-thirty-two-characters";

/** Several hosts over one PostgreSQL and one bucket, behind a balancer. */
export interface Cluster {
  /** Address of the balancer. */
  url: string;
  anonKey: string;
  serviceRoleKey: string;
  /** PostgreSQL, as its superuser. */
  databaseUrl: string;
  /** Addresses of the hosts. */
  hosts: readonly string[];
  /** Ends a host at once, as a lost machine does. */
  kill: (at: number) => Promise<void>;
  /** Ends a host as a service manager does, which waits for it, and starts it again. */
  restart: (at: number) => Promise<void>;
  /** Stops a host without ending it, as a frozen machine. */
  freeze: (at: number) => void;
  thaw: (at: number) => void;
  /** What a host does for the shared log, from its metrics. */
  roleOf: (at: number) => Promise<string | undefined>;
  /** Redis, where the hosts share the log through it. */
  redis: RedisServer | undefined;
  /** Cuts a host off from Redis without a word to either, until `join`. */
  cut: (at: number) => void;
  join: (at: number) => void;
  /** Starts a host again, and waits until it is ready. */
  start: (at: number) => Promise<void>;
  close: () => Promise<void>;
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
    await sleep(100);
  }
  throw new Error(`${url} was not ready within a minute`);
}

/** What a host does for the shared log; undefined when it gives no answer. */
async function readRole(url: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const signal = AbortSignal.timeout(4000);
  const text = await fetch(`${url}/metrics`, { headers, signal }).then(
    async (answer) => await answer.text(),
    () => "",
  );
  return /^realtime_log_role\{role="(\w+)"\} 1$/m.exec(text)?.[1];
}

/**
 * Starts `count` hosts at the same moment, over an empty database and an empty bucket.
 * @param options `redis` lets them share the log; `balancer` is HAProxy unless given; `env` is asked at each start of a host, for
 * its settings beside these, with the address of the balancer
 */
export async function startCluster(
  count: number,
  options: {
    redis?: boolean;
    balancer?: BalancerName;
    env?: (url: string) => Promise<Record<string, string>>;
  } = {},
): Promise<Cluster> {
  const ports: number[] = [];
  for (let at = 0; at <= count; at++) ports.push(await freePort());
  const [sitePort = 0, ...hostPorts] = ports;
  // By a name, because passkeys are for names.
  const siteUrl = `http://localhost:${sitePort}`;
  const folder = await mkdtemp(join(tmpdir(), "scale-"));
  const balancer = await prepareBalancer(
    options.balancer ?? "haproxy",
    sitePort,
    hostPorts,
    folder,
  ).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  await mkdir(join(folder, "database"), { mode: 0o711 });
  const postgres = await startEmbeddedPostgres(join(folder, "database", "postgres"), "password");
  const bucket = await startS3Server();
  const redis = options.redis === true ? await startRedisServer() : undefined;
  const relays =
    redis &&
    (await Promise.all(Array.from({ length: count }, async () => await startRelay(redis.port))));
  const running = new Map<number, ChildProcess>();
  const keys = { anonKey: "", serviceRoleKey: "" };

  const start = async (at: number) => {
    const port = hostPorts[at] ?? 0;
    const settings = await options.env?.(siteUrl);
    const child = spawn(
      process.execPath,
      [join(projectRoot, "node_modules", ".bin", "basehost"), "--project", project],
      {
        env: {
          ...process.env,
          ...bucket.env,
          PORT: String(port),
          DATA_DIR: join(folder, `host-${at}`),
          DATABASE_URL: postgres.url,
          DATABASE_CONNECTIONS: "29",
          SUPABASE_JWT_SECRET: jwtSecret,
          TRUSTED_PROXY: "127.0.0.1",
          METRICS_TOKEN: metricsToken,
          ...(relays && { REDIS_URL: `redis://127.0.0.1:${relays[at]?.port}` }),
          MEMBER_REQUESTS_PER_SECOND: "100000",
          ANONYMOUS_REQUESTS_PER_SECOND: "100000",
          ADDRESS_REQUESTS_PER_SECOND: "100000",
          LOG_LEVEL: "warn",
          ...settings,
        },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    running.set(at, child);
    child.stdout.on("data", (chunk: Buffer) => {
      const [, anon] = /^anon key\s+(\S+)$/m.exec(chunk.toString()) ?? [];
      const [, service] = /^service role key\s+(\S+)$/m.exec(chunk.toString()) ?? [];
      keys.anonKey = anon ?? keys.anonKey;
      keys.serviceRoleKey = service ?? keys.serviceRoleKey;
    });
    await untilReady(`http://127.0.0.1:${port}`);
  };
  const kill = async (at: number) => {
    const child = running.get(at);
    if (child !== undefined) await endProcess(child, "SIGKILL");
  };
  const restart = async (at: number) => {
    const child = running.get(at);
    if (child === undefined || !(await endProcess(child, "SIGTERM")))
      throw new Error(`Host ${at} was not running when it was to be restarted.`);
    await start(at);
  };

  const close = async () => {
    // Not killed: nginx would leave its workers behind.
    if (proxy !== undefined) await endProcess(proxy, "SIGTERM");
    for (const at of running.keys()) await kill(at);
    await postgres.stop();
    await bucket.remove();
    for (const relay of relays ?? []) relay.close();
    await redis?.remove();
    await rm(folder, { recursive: true, force: true });
  };
  let proxy: ChildProcess | undefined;
  try {
    await Promise.all(hostPorts.map(async (_, at) => await start(at)));
    proxy = spawn(balancer.program, balancer.args, { stdio: ["ignore", "ignore", "inherit"] });
    await untilReady(`http://127.0.0.1:${sitePort}`);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${sitePort}`,
    ...keys,
    databaseUrl: postgres.url,
    hosts: hostPorts.map((port) => `http://127.0.0.1:${port}`),
    kill,
    restart,
    freeze: (at) => running.get(at)?.kill("SIGSTOP"),
    thaw: (at) => running.get(at)?.kill("SIGCONT"),
    roleOf: async (at) => await readRole(`http://127.0.0.1:${hostPorts[at]}`),
    redis,
    cut: (at) => relays?.[at]?.cut(),
    join: (at) => relays?.[at]?.join(),
    start,
    close,
  };
}
