import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startEmbeddedPostgres } from "basehost/database";
import { startS3Server } from "../support/s3-server.ts";
import { freePort, projectRoot } from "../support/spawn-product.ts";

const project = fileURLToPath(new URL("../fixtures/other-project", import.meta.url));
const balancerPaths = ["/usr/sbin/haproxy", "/usr/local/sbin/haproxy", "/opt/homebrew/bin/haproxy"];
const jwtSecret = "scale-secret-of-at-least-thirty-two-characters";

/** Several hosts over one PostgreSQL and one bucket, behind HAProxy. */
export interface Cluster {
  /** Address of the balancer. */
  url: string;
  anonKey: string;
  serviceRoleKey: string;
  /** Addresses of the hosts. */
  hosts: readonly string[];
  /** Ends a host at once, as a lost machine does. */
  kill: (at: number) => Promise<void>;
  /** Starts a host again, and waits until it is ready. */
  start: (at: number) => Promise<void>;
  close: () => Promise<void>;
}

async function findBalancer(): Promise<string> {
  for (const path of balancerPaths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new Error("HAProxy is not installed: apt-get install haproxy");
}

/** What docs/deploy.md says of HAProxy, for these ports. */
function balancerSettings(port: number, hosts: readonly number[]): string {
  return `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 180s
  timeout server 180s
  timeout tunnel 1h
  option redispatch
  retries 3
  retry-on conn-failure empty-response response-timeout
frontend site
  bind 127.0.0.1:${port}
  default_backend hosts
backend hosts
  balance leastconn
  option httpchk GET /readyz
  option forwardfor
  http-request disable-l7-retry unless METH_GET
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${hosts.map((host, at) => `  server host${at} 127.0.0.1:${host}`).join("\n")}
`;
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
    await sleep(100);
  }
  throw new Error(`${url} was not ready within a minute`);
}

/** Starts `count` hosts at the same moment, over an empty database and an empty bucket. */
export async function startCluster(count: number): Promise<Cluster> {
  const balancer = await findBalancer();
  const folder = await mkdtemp(join(tmpdir(), "scale-"));
  await mkdir(join(folder, "database"), { mode: 0o711 });
  const postgres = await startEmbeddedPostgres(join(folder, "database", "postgres"), "password");
  const bucket = await startS3Server();
  const ports: number[] = [];
  for (let at = 0; at <= count; at++) ports.push(await freePort());
  const [sitePort = 0, ...hostPorts] = ports;
  const running = new Map<number, ChildProcess>();
  const keys = { anonKey: "", serviceRoleKey: "" };

  const start = async (at: number) => {
    const port = hostPorts[at] ?? 0;
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
          MEMBER_REQUESTS_PER_SECOND: "100000",
          ANONYMOUS_REQUESTS_PER_SECOND: "100000",
          ADDRESS_REQUESTS_PER_SECOND: "100000",
          LOG_LEVEL: "warn",
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
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };

  const settings = join(folder, "haproxy.cfg");
  await writeFile(settings, balancerSettings(sitePort, hostPorts));
  const close = async () => {
    proxy?.kill("SIGKILL");
    for (const at of running.keys()) await kill(at);
    await postgres.stop();
    await bucket.remove();
    await rm(folder, { recursive: true, force: true });
  };
  let proxy: ChildProcess | undefined;
  try {
    await Promise.all(hostPorts.map(async (_, at) => await start(at)));
    proxy = spawn(balancer, ["-f", settings, "-db"], { stdio: ["ignore", "ignore", "inherit"] });
    await untilReady(`http://127.0.0.1:${sitePort}`);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${sitePort}`,
    ...keys,
    hosts: hostPorts.map((port) => `http://127.0.0.1:${port}`),
    kill,
    start,
    close,
  };
}
