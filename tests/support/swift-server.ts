import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./spawn-product.ts";
import { untilOpen } from "./until-open.ts";

const program = (kind: string) => `/usr/bin/swift-${kind}`;
/** The servers below the proxy, and where Debian's package puts each. */
const stores = ["account", "container", "object"] as const;

/** Whether OpenStack Swift is installed (`apt-get install swift-proxy swift-account swift-container swift-object`). */
export const hasSwift = ["proxy", ...stores].every((kind) => existsSync(program(`${kind}-server`)));

/** An access key of the bucket, as its owner is given one. */
export interface BucketKey {
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
}

/** OpenStack Swift with its S3 API: a store of another maker, which checks signatures and has as many keys as its owner likes. */
export interface SwiftServer {
  endpoint: string;
  /** From now on these keys are good, and no other. */
  setKeys: (...keys: readonly BucketKey[]) => Promise<void>;
  /** Ends the servers and removes their files. */
  remove: () => Promise<void>;
}

/** A key named `name`. */
export const bucketKeyOf = (name: string): BucketKey => ({
  S3_ACCESS_KEY_ID: `fourfold:${name}`,
  S3_SECRET_ACCESS_KEY: `secret-of-${name}`,
});

/** Starts one over a folder of its own, with no key yet. */
export async function startSwiftServer(): Promise<SwiftServer> {
  const folder = await mkdtemp(join(tmpdir(), "swift-"));
  const write = async (name: string, text: string) => await writeFile(join(folder, name), text);
  const builder = async (...args: string[]) =>
    await promisify(execFile)(program("ring-builder"), args, { cwd: folder });
  /** What each server is told. */
  const settingsOf = (port: number) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = ${userInfo().username}\n` +
    `swift_dir = ${folder}\ndevices = ${folder}\nmount_check = false\n`;
  const start = async (kind: string, port: number) => {
    const args = [join(folder, `${kind}-server.conf`)];
    const child = spawn(program(`${kind}-server`), args, { stdio: "ignore" });
    await untilOpen(port, "Swift");
    return child;
  };
  const end = async (child: ChildProcess | undefined) => {
    if (child?.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };

  await write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = test\n");
  await mkdir(join(folder, "disk"));
  const children: ChildProcess[] = [];
  for (const kind of stores) {
    const port = await freePort();
    await builder(`${kind}.builder`, "create", "2", "1", "1");
    await builder(`${kind}.builder`, "add", `r1z1-127.0.0.1:${port}/disk`, "1");
    await builder(`${kind}.builder`, "rebalance");
    const pipeline = `[pipeline:main]\npipeline = ${kind}-server\n`;
    const app = `[app:${kind}-server]\nuse = egg:swift#${kind}\n`;
    await write(`${kind}-server.conf`, settingsOf(port) + pipeline + app);
    children.push(await start(kind, port));
  }
  const port = await freePort();
  let proxy: ChildProcess | undefined;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    setKeys: async (...keys) => {
      await end(proxy);
      const users = keys.map(
        ({ S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret }) =>
          `user_${id.replace(":", "_")} = ${secret} .admin`,
      );
      // The S3 API wants a cache to be named; it does without one that does not answer.
      const filters = {
        catch_errors: "catch_errors",
        gatekeeper: "gatekeeper",
        cache: "memcache\nmemcache_servers = 127.0.0.1:9",
        s3api: "s3api",
        tempauth: `tempauth\n${users.join("\n")}`,
        bulk: "bulk",
        slo: "slo",
      };
      const sections = Object.entries(filters).map(
        ([name, settings]) => `[filter:${name}]\nuse = egg:swift#${settings}\n`,
      );
      await write(
        "proxy-server.conf",
        settingsOf(port) +
          `[pipeline:main]\npipeline = ${Object.keys(filters).join(" ")} proxy-server\n` +
          "[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n" +
          sections.join(""),
      );
      proxy = await start("proxy", port);
    },
    remove: async () => {
      for (const child of [proxy, ...children]) await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
