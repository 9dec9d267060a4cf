import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findBinaries, type PostgresBinaries } from "basehost/database";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foldCases } from "../../web/src/lib/testing/fold-cases.ts";
import { startCleanCluster, type CleanCluster } from "../support/clean-cluster.ts";
import { projectRoot } from "../support/spawn-product.ts";
import { ensureSystemPostgres } from "../support/system-postgres.ts";
import { timeLimitMs } from "../support/time-limits.ts";

/** What a search consists of without its tables. */
const functions = ["letters.sql", "queries.sql"];

/** How a database can decide what a letter is. Turkish has rules of its own for i. */
const locales: Readonly<Record<string, string>> = {
  c: "locale_provider libc locale 'C'",
  libc: "locale_provider libc locale 'C.UTF-8'",
  icu: "locale_provider icu icu_locale 'und' locale 'C'",
  turkish: "locale_provider icu icu_locale 'tr-TR' locale 'C'",
};
const newerLocales: Readonly<Record<string, string>> = {
  builtin: "locale_provider builtin builtin_locale 'C.UTF-8' locale 'C' lc_ctype 'C.UTF-8'",
  ascii: "locale_provider builtin builtin_locale 'C' locale 'C'",
};

const text = "Die «Übung» von Zoë O’Brien, IŞIK: 100% naïve ΠΕΛΆΤΕΣ… ЗДРАВСТВУЙТЕ東京タワー½ cats’";
const vector =
  "'1':16 '100':7 '2':16 'brien':5 'cat':17 'die':1 'isik':6 'naiv':8 'o':5 'obrien':5 'ubung':2 'von':3 'zoe':4" +
  " 'πελατεσ':9 'здравствуите':10 'タ':13 'ワ':14 'ー':15 '京':12 '東':11";
/** What is typed, and what is marked in the text. */
const found: readonly (readonly [typed: string, marked: string])[] = [
  ["übung", "Übung"],
  ["ubu", "Übung"],
  ["o'brien", "O’Brien"],
  ["ışık", "IŞIK"],
  ["naive", "naïve"],
  ["πελάτες", "ΠΕΛΆΤΕΣ"],
  ["здравствуйте", "ЗДРАВСТВУЙТЕ"],
  ["東京", "東京"],
  ["½", "½"],
  ["cat", "cats"],
];

const servers: readonly (readonly [
  name: string,
  binaries: () => Promise<PostgresBinaries>,
  locales: Readonly<Record<string, string>>,
])[] = [
  ["the embedded PostgreSQL", findBinaries, { ...locales, ...newerLocales }],
  ["the system's PostgreSQL", async () => await Promise.resolve(ensureSystemPostgres()), locales],
];

describe.each(servers)("on %s, searches are the same in a database of", (_, binaries, made) => {
  let cluster: CleanCluster;
  // May install the system's PostgreSQL first.
  beforeAll(async () => {
    cluster = await startCleanCluster(await binaries());
    await cluster.run(
      ["anon", "authenticated", "service_role"].map((role) => `create role ${role}`),
    );
  }, timeLimitMs(300));
  afterAll(async () => await cluster.stop());

  it.each(Object.keys(made))("%s", async (name) => {
    await cluster.run([`create database ${name} encoding 'UTF8' template template0 ${made[name]}`]);
    const client = new pg.Client({ connectionString: cluster.url(name) });
    await client.connect();
    try {
      await client.query("create schema private");
      // Some of them read tables, which are not there.
      await client.query("set check_function_bodies = off");
      for (const file of functions) {
        const path = join(projectRoot, "supabase", "schemas", "search", file);
        await client.query(await readFile(path, "utf8"));
      }
      const folded = await client.query<{ folded: string[] }>(
        "select array(select private.fold_text(t) from unnest($1::text[]) with ordinality u (t, n) order by n) as folded",
        [foldCases.map(([each]) => each)],
      );
      expect(folded.rows[0]?.folded).toEqual(foldCases.map(([, each]) => each));
      const { rows } = await client.query(
        `select document::text as vector, array(
           select private.excerpt($1, document, private.message_query(t), '[', ']', true)
           from unnest($2::text[]) with ordinality u (t, n) order by n
         ) as excerpts
         from private.words_vector($1, 'D', 10000) document`,
        [text, found.map(([typed]) => typed)],
      );
      const excerpts = found.map(([, marked]) => text.replace(marked, `[${marked}]`));
      expect(rows).toEqual([{ vector, excerpts }]);
    } finally {
      await client.end();
    }
  });
});
