import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { connectOwner, prepareDatabase, startEmbeddedPostgres } from "basehost/database";

/** A Postgres server in a temporary folder, for tools that build databases to look at. */
export interface ScratchServer {
  /** A connection to the server's first database, which stays empty. */
  readonly admin: pg.Client;
  /** The temporary folder, for files of the same lifetime. */
  readonly folder: string;
  readonly urlOf: (database: string) => string;
  /** Creates a database with the platform's schemas and nothing of the product, and runs `work` on it. */
  readonly createDatabase: (
    name: string,
    work: (client: pg.Client) => Promise<void>,
  ) => Promise<string>;
  /** Stops the server and removes its folder. May be called more than once. */
  readonly close: () => Promise<void>;
}

/** Runs `work` with a connection of the database's owner. */
export async function withOwner<T>(url: string, work: (client: pg.Client) => Promise<T>) {
  const client = await connectOwner(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Starts a server whose data is lost when it closes. */
export async function openScratchServer(): Promise<ScratchServer> {
  const folder = await mkdtemp(join(tmpdir(), "fourfold-scratch-"));
  const server = await startEmbeddedPostgres(
    join(folder, "postgres"),
    randomBytes(18).toString("hex"),
  );
  const admin = await connectOwner(server.url);
  admin.on("error", () => undefined);
  const urlOf = (database: string) => {
    const url = new URL(server.url);
    url.pathname = `/${database}`;
    return url.href;
  };
  const shutDown = async () => {
    await admin.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  let closing: Promise<void> | undefined;
  // A signal and the error it causes may both call this.
  const close = async () => await (closing ??= shutDown());
  try {
    // The data is temporary, so commits need not wait for the disk.
    await admin.query("alter system set fsync = off");
    await admin.query("alter system set synchronous_commit = off");
    await admin.query("select pg_reload_conf()");
  } catch (error) {
    await close();
    throw error;
  }
  return {
    admin,
    folder,
    urlOf,
    createDatabase: async (name, work) => {
      await admin.query(`create database ${name}`);
      await withOwner(urlOf(name), async (client) => {
        await prepareDatabase(client, { current: randomBytes(32).toString("hex") });
        await work(client);
      });
      return urlOf(name);
    },
    close,
  };
}
