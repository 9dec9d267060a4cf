import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { access, chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { chooseServerAccount, splitStatements } from "basehost/database";
import { startCleanCluster } from "../support/clean-cluster.ts";
import { blocksOf, readDeployDocument } from "../support/deploy-document.ts";
import { shareFiles } from "../support/shared-files.ts";
import { freePort, projectRoot } from "../support/spawn-product.ts";
import { startStreamingReplica, type StreamingReplica } from "../support/streaming-replica.ts";
import { ensureSystemPostgres } from "../support/system-postgres.ts";

const project = fileURLToPath(new URL("../fixtures/other-project", import.meta.url));
const poolerPaths = [
  process.env["PGBOUNCER"] ?? "",
  "/usr/sbin/pgbouncer",
  "/usr/bin/pgbouncer",
  "/opt/homebrew/bin/pgbouncer",
];
export const jwtSecret = "pooled-secret-of-at-least-thirty-two-characters";
const password = "a-password-of-our-own";

/** A primary, a replica and PgBouncer, all of the system, and hosts over them. */
export interface PooledCluster {
  direct: string;
  pooled: string;
  /** Whether this PgBouncer keeps statements that clients prepared, and hosts are told so. */
  keepsStatements: boolean;
  /** How many statements PgBouncer was asked to run since its start, and how often one was prepared on the server for that. */
  statements: () => Promise<{ run: number; prepared: number }>;
  replicaUrl: string;
  replica: StreamingReplica;
  /** As a superuser of the replica. */
  superuserOfReplica: string;
  /** Starts a host with these addresses; resolves with its address, or with what it said when it ended. */
  startHost: (env: Record<string, string>) => Promise<StartedHost>;
  close: () => Promise<void>;
}

export interface StartedHost {
  url: string;
  metricsUrl: string;
  anonKey: string;
  serviceRoleKey: string;
  /** What a host said that refused to start; undefined when it is ready. */
  refusal: string | undefined;
}

/** The first version that can keep statements that clients prepared. */
const keepsStatementsFrom = [1, 21] as const;
/** As docs/deploy.md has it, for a version that knows it. */
const keptStatements = "max_prepared_statements = 200";

/** PgBouncer of the system, or the one that the variable PGBOUNCER names. */
async function findPooler(): Promise<string> {
  for (const path of poolerPaths.filter((each) => each !== "")) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new Error("PgBouncer is not installed: apt-get install pgbouncer");
}

async function canKeepStatements(pooler: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(pooler, ["-V"]);
  const [, major = 0, minor = 0] = (/^PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? []).map(Number);
  const [firstMajor, firstMinor] = keepsStatementsFrom;
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

/** The block of docs/deploy.md in a language that begins so: what is tried is what the document says. */
async function documented(language: string, start: string): Promise<string> {
  const found = blocksOf(await readDeployDocument(), language).find((body) =>
    body.startsWith(start),
  );
  if (found !== undefined) return found;
  throw new Error(`docs/deploy.md has no block that begins with ${start}`);
}

async function until(isReady: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isReady()) return;
    await sleep(100);
  }
  throw new Error(`${what} was not ready within a minute`);
}

/** Sets everything up as docs/deploy.md says, on free ports of this machine. */
export async function startPooledCluster(): Promise<PooledCluster> {
  const pooler = await findPooler();
  const binaries = ensureSystemPostgres();
  const folder = await mkdtemp(join(tmpdir(), "pooled-"));
  // Open to the account that PgBouncer runs as, because it refuses to run as root.
  await chmod(folder, 0o711);
  const account = await chooseServerAccount(join(folder, "pooler"), []);
  const primary = await startCleanCluster(binaries);
  const login = await readFile(join(projectRoot, "docs", "database-login.sql"), "utf8");
  await primary.run(splitStatements(login.replaceAll("CHANGE-ME", password)));
  await primary.restart();
  const lookUp = await documented("sql", "create role pgbouncer");
  await primary.run(splitStatements(lookUp.replaceAll("POOL-PASSWORD", password)), "fourfold");

  const poolPort = await freePort();
  const { port: primaryPort } = new URL(primary.url());
  const users = join(folder, "pooler", "userlist.txt");
  const settings = (await documented("ini", "[databases]"))
    .replace("port=5432", `port=${primaryPort}`)
    .replace("listen_port = 6432", `listen_port = ${poolPort}`)
    .replace("/etc/pgbouncer/userlist.txt", users);
  const settingsFile = join(folder, "pooler", "pgbouncer.ini");
  await mkdir(join(folder, "pooler"), { mode: 0o711 });
  await writeFile(users, `"pgbouncer" "${password}"\n`);
  const keepsStatements = await canKeepStatements(pooler);
  const own = ["unix_socket_dir =", "stats_users = pgbouncer"];
  if (keepsStatements) {
    if (!(await readDeployDocument()).includes(`\`${keptStatements}\``))
      throw new Error(`docs/deploy.md does not say ${keptStatements}`);
    own.push(keptStatements);
  }
  await writeFile(settingsFile, `${[settings, ...own].join("\n")}\n`);
  if (account.kind === "account") {
    for (const path of [folder, join(folder, "pooler"), users, settingsFile])
      await chown(path, account.uid, account.gid);
  }
  const processes: ChildProcess[] = [];
  const asUser = account.kind === "account" ? { uid: account.uid, gid: account.gid } : {};
  processes.push(
    spawn(pooler, ["-q", settingsFile], { stdio: ["ignore", "ignore", "inherit"], ...asUser }),
  );
  const url = (port: number | string) =>
    `postgresql://fourfold:${password}@127.0.0.1:${port}/fourfold`;
  const [direct, pooled] = [url(primaryPort), url(poolPort)];
  const replica = await startStreamingReplica(primary.url(), binaries);
  const superuserOfReplica = new URL(primary.url("fourfold"));
  superuserOfReplica.port = String(replica.port);

  let count = 0;
  const startHost = async (env: Record<string, string>): Promise<StartedHost> => {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const data = join(folder, `host-${count++}`);
    await shareFiles(direct, data);
    const child = spawn(
      process.execPath,
      [join(projectRoot, "node_modules", ".bin", "basehost"), "--project", project],
      {
        env: {
          ...process.env,
          PORT: String(port),
          METRICS_PORT: String(metricsPort),
          DATA_DIR: data,
          SUPABASE_JWT_SECRET: jwtSecret,
          MEMBER_REQUESTS_PER_SECOND: "100000",
          ANONYMOUS_REQUESTS_PER_SECOND: "100000",
          ADDRESS_REQUESTS_PER_SECOND: "100000",
          LOG_LEVEL: "warn",
          ...env,
        },
      },
    );
    processes.push(child);
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    let refusal: string | undefined;
    const ended = once(child, "close").then(() => (refusal = said));
    const url = `http://127.0.0.1:${port}`;
    await until(async () => {
      const answer = await Promise.race([ended, fetch(`${url}/readyz`).catch(() => undefined)]);
      return refusal !== undefined || (typeof answer === "object" && answer.ok);
    }, url);
    const keyOf = (name: string) => new RegExp(`^${name}\\s+(\\S+)$`, "m").exec(said)?.[1] ?? "";
    return {
      url,
      metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      anonKey: keyOf("anon key"),
      serviceRoleKey: keyOf("service role key"),
      refusal,
    };
  };
  const statements = async () => {
    const console = new pg.Client({
      connectionString: `postgresql://pgbouncer:${password}@127.0.0.1:${poolPort}/pgbouncer`,
    });
    await console.connect();
    try {
      const { rows } = await console.query<Record<string, string>>("show stats_totals");
      const sum = (name: string) => rows.reduce((all, row) => all + Number(row[name] ?? 0), 0);
      return { run: sum("bind_count"), prepared: sum("server_parse_count") };
    } finally {
      await console.end();
    }
  };
  return {
    direct,
    pooled,
    keepsStatements,
    statements,
    replicaUrl: url(replica.port),
    replica,
    superuserOfReplica: superuserOfReplica.href,
    startHost,
    close: async () => {
      for (const child of processes) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill("SIGKILL");
        await once(child, "close");
      }
      await replica.remove();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
