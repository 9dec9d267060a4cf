import { readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ownerPool } from "../support/clients.ts";
import { projectRoot } from "../support/spawn-product.ts";
import { openRpcs } from "./open-rpcs.ts";

const file = join(projectRoot, "supabase", "replica-reads.json");
const names = JSON.parse(readFileSync(file, "utf8")) as string[];

let owner: pg.Pool;
beforeAll(() => {
  owner = ownerPool();
});
afterAll(async () => await owner.end());

it("the reads that may lag are functions for members that promise not to write", async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and proname = any ($1)
       and provolatile in ('s', 'i') and prokind = 'f'
     group by proname having bool_and(has_function_privilege('authenticated', oid, 'execute')) order by 1`,
    [names],
  );
  expect(rows.map(({ name }) => name)).toEqual(names.toSorted());
  expect(names.filter((name) => !openRpcs.includes(name))).toEqual([]);
});

it("none of them changes what it reads about: nothing they call writes", async () => {
  const { rows } = await owner.query<{ name: string; volatile: string[] }>(
    `with recursive called as (
       select p.oid, p.proname::text as root from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.proname = any ($1)
       union
       select callee.oid, c.root from called c
         join pg_proc caller on caller.oid = c.oid
         join pg_proc callee on callee.pronamespace = 'private'::regnamespace
          and caller.prosrc ~ ('private\\.' || callee.proname || '\\s*\\(')
     )
     select c.root as name, array_agg(p.proname::text order by p.proname) as volatile
       from called c join pg_proc p using (oid) where p.provolatile = 'v' group by 1`,
    [names],
  );
  // private.fail raises, and writes nothing.
  const writing = rows.map(({ name, volatile }) => [
    name,
    volatile.filter((each) => each !== "fail"),
  ]);
  expect(writing.filter(([, volatile]) => volatile?.length !== 0)).toEqual([]);
});
