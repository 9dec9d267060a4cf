import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./spawn-product.ts";
import { untilOpen } from "./until-open.ts";

const paths = ["/usr/bin/redis-server", "/usr/local/bin/redis-server", "/usr/bin/valkey-server"];

/** A Redis of a test, in a folder of its own and without anything on disk. */
export interface RedisServer {
  url: string;
  port: number;
  pid: () => number;
  /** Ends it at once; what it held is gone. */
  stop: () => Promise<void>;
  /** Starts it again, empty, on the same port. */
  start: () => Promise<void>;
  remove: () => Promise<void>;
}

/** Where Redis is installed; undefined where it is not. */
export async function findRedisServer(): Promise<string | undefined> {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

/** @param password what clients have to say; undefined: nothing */
export async function startRedisServer(password?: string): Promise<RedisServer> {
  const program = await findRedisServer();
  if (program === undefined)
    throw new Error("Redis is not installed: apt-get install redis-server");
  const folder = await mkdtemp(join(tmpdir(), "redis-"));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    const options = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder];
    if (password !== undefined) options.push("--requirepass", password);
    child = spawn(program, [...options, "--save", "", "--appendonly", "no"], { stdio: "ignore" });
    await untilOpen(port, "Redis");
  };
  const stop = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };
  await start();
  return {
    url: `redis://${password === undefined ? "" : `:${password}@`}127.0.0.1:${port}`,
    port,
    pid: () => child?.pid ?? 0,
    stop,
    start,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
