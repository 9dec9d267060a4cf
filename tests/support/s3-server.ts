import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { freePort } from "./spawn-product.ts";

/** An S3 server of a test, over a folder of its own. */
export interface S3Server {
  /** The variables of a host that keeps its files there. */
  env: {
    S3_ENDPOINT: string;
    S3_BUCKET: string;
    S3_ACCESS_KEY_ID: string;
    S3_SECRET_ACCESS_KEY: string;
  };
  /** Where it keeps the objects, as files. */
  folder: string;
  /** Whether the bucket has an object whose key ends so. */
  has: (end: string) => Promise<boolean>;
  /** Ends the server; its files stay. */
  stop: () => Promise<void>;
  /** Starts it again on the same port. */
  start: () => Promise<void>;
  /** Ends the server and removes its files. */
  remove: () => Promise<void>;
}

/** @param others buckets beside the one of `env` */
export async function startS3Server(...others: readonly string[]): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "s3-"));
  const bucket = "files";
  const open = (port: number) =>
    new S3rver({
      address: "127.0.0.1",
      port,
      silent: true,
      directory,
      configureBuckets: [bucket, ...others].map((name) => ({ name, configs: [] })),
    });
  // One that no connection is given while the server is stopped.
  const port = await freePort();
  let server = open(port);
  await server.run();
  let isRunning = true;
  const stop = async () => {
    if (isRunning) await server.close();
    isRunning = false;
  };
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      // The fixed account of this server.
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
    },
    folder: directory,
    has: async (end) =>
      (await readdir(directory, { recursive: true })).some((name) =>
        name.replace(/\._S3rver_object$/, "").endsWith(end),
      ),
    stop,
    start: async () => {
      server = open(port);
      await server.run();
      isRunning = true;
    },
    remove: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
