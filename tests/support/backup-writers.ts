import { createHash, randomBytes } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import type pg from "pg";
import { expect } from "vitest";

/** The files of a bucket, as the client gives them. */
export type Bucket = ReturnType<SupabaseClient["storage"]["from"]>;

/** Hash of bytes in hex. */
export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** What was acknowledged, with the time in epoch milliseconds. */
export interface Acknowledged {
  rows: { writer: number; number: number; at: number }[];
  uploads: { name: string; sha256: string; at: number }[];
  /** Files that are replaced over and over; the content begins with the number. */
  replacements: { name: string; number: number; at: number }[];
}

/** Writes rows to `private.backup_test_writes` and files to a bucket without pause until it is stopped. */
export function startWriters(pool: pg.Pool, files: Bucket): { stop: () => Promise<Acknowledged> } {
  const done: Acknowledged = { rows: [], uploads: [], replacements: [] };
  const stopping = new AbortController();
  const repeat = async (write: (number: number) => Promise<void>) => {
    for (let number = 1; !stopping.signal.aborted; number += 1) await write(number);
  };
  const writers = [
    ...[1, 2, 3].map((writer) =>
      repeat(async (number) => {
        await pool.query("insert into private.backup_test_writes values ($1, $2)", [
          writer,
          number,
        ]);
        done.rows.push({ writer, number, at: Date.now() });
      }),
    ),
    repeat(async (number) => {
      const bytes = randomBytes(20_000);
      const name = `upload-${number}`;
      expect((await files.upload(name, bytes)).error).toBeNull();
      done.uploads.push({ name, sha256: sha256(bytes), at: Date.now() });
    }),
    ...["a", "b"].map((name) =>
      repeat(async (number) => {
        const bytes = Buffer.from(`${number} ${"x".repeat(5000)}`);
        expect((await files.upload(name, bytes, { upsert: true })).error).toBeNull();
        done.replacements.push({ name, number, at: Date.now() });
      }),
    ),
  ];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(writers);
      return done;
    },
  };
}
