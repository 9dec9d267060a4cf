import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadDeclared } from "../../tools/schema/declared-schema.ts";
import { writeRpcFunctions } from "../../tools/schema/rpc-functions.ts";
import { schemaDifference } from "../../tools/schema/schema-difference.ts";
import {
  openScratchServer,
  type ScratchServer,
  withOwner,
} from "../../tools/schema/scratch-server.ts";

const privileges = {
  path: "00_schemas.sql",
  text: `
alter default privileges revoke all on functions from public, anon, authenticated, service_role;
alter default privileges revoke all on tables from public, anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from public, anon, authenticated, service_role;
create schema private;
grant usage on schema private to authenticated;`,
};
const notes = {
  path: "notes/notes.sql",
  text: `
create table public.notes (
  id bigint generated always as identity primary key,
  author uuid not null, text text not null constraint notes_text_check check (private.is_note(text))
);
comment on table public.notes is 'What members wrote down.';
alter table public.notes enable row level security;
grant select (id, text) on public.notes to authenticated;
create policy select_own on public.notes for select to authenticated using (author = (select auth.uid()));

-- @rpc authenticated, service_role (note_text, pages)
-- Writes a note down;
-- its number.
create function private.write_note(content text, page integer default 1) returns bigint
  language plpgsql security definer set search_path = '' as $$
declare
  written bigint;
begin
  insert into public.notes (author, text) values (auth.uid(), content || page) returning id into written;
  return written;
end
$$;
comment on function private.write_note is 'Writes a note down.';`,
};
const rules = {
  path: "rules.sql",
  text: `create function private.is_note(text text) returns boolean language sql immutable return text <> '';
grant execute on function private.is_note to authenticated;`,
};

let server: ScratchServer;
const declare = async (client: pg.Client, files: readonly { path: string; text: string }[]) => {
  const order = await loadDeclared(client, files);
  await loadDeclared(client, await writeRpcFunctions(client, files));
  return order;
};

beforeAll(async () => {
  server = await openScratchServer();
});
afterAll(async () => await server.close());

describe("files that declare a schema", () => {
  it("are created in whatever order they are read", async () => {
    await server.createDatabase("any_order", async (client) => {
      const order = await declare(client, [privileges, notes, rules]);
      expect(order.map(({ path }) => path)).toContain("notes/notes.sql");
      const { rows } = await client.query(
        "select private.is_note('') as empty, count(*)::int from public.notes",
      );
      expect(rows).toEqual([{ empty: false, count: 0 }]);
    });
  });

  it("are refused as a whole, with the file and the line, when one cannot be created", async () => {
    await server.createDatabase("refused", async (client) => {
      await expect(declare(client, [privileges, notes])).rejects.toThrow(
        /notes\/notes\.sql: function private\.is_note\(text\) does not exist\n {2}create table public\.notes/,
      );
      const { rows } = await client.query("select to_regnamespace('private') as private");
      expect(rows).toEqual([{ private: null }]);
    });
  });

  it("offer a function to the API under the names, defaults, words and roles of its line", async () => {
    await server.createDatabase("offered", async (client) => {
      await declare(client, [privileges, rules, notes]);
      const { rows } = await client.query(
        `select pg_get_function_arguments(oid) as arguments, prosecdef as definer, obj_description(oid) as says,
           has_function_privilege('authenticated', oid, 'execute') as member,
           has_function_privilege('anon', oid, 'execute') as visitor
         from pg_proc where oid = 'public.write_note'::regproc`,
      );
      expect(rows).toEqual([
        {
          arguments: "note_text text, pages integer DEFAULT 1",
          definer: false,
          says: "Writes a note down; its number.",
          member: true,
          visitor: false,
        },
      ]);
      const claims = `{"sub":"00000000-0000-4000-8000-000000000001"}`;
      await client.query("begin");
      await client.query("select set_config('request.jwt.claims', $1, true)", [claims]);
      await client.query("set local role authenticated");
      const written = await client.query(
        "select public.write_note('bread') as id, (select text from public.notes)",
      );
      await client.query("rollback");
      expect(written.rows).toEqual([{ id: "1", text: null }]);
    });
  });
});

describe("the difference between two databases", () => {
  /** What is changed, and a part of the statement that has to lead there. */
  const changes: readonly (readonly [sql: string, written: RegExp])[] = [
    [
      "create or replace function private.is_note(text text) returns boolean language sql immutable return true",
      /function private\.is_note/,
    ],
    ["alter policy select_own on public.notes using (true)", /policy "select_own"/],
    ["grant select (author) on public.notes to authenticated", /grant select \("author"\)/],
    [
      "revoke execute on function public.write_note from service_role",
      /revoke [\s\S]*"?write_note"?[\s\S]* from "service_role"/,
    ],
    ["comment on table public.notes is 'Something else.'", /'Something else\.'/],
    ["alter table public.notes drop constraint notes_text_check", /"notes_text_check"/],
    [
      "alter publication supabase_realtime add table public.notes",
      /publication "supabase_realtime"/,
    ],
    ["alter default privileges grant select on tables to anon", /default privileges/],
    ["alter table public.notes disable row level security", /disable row level security/],
  ];

  it("is none between equal ones; else every kind of change, as statements that lead there", async () => {
    await server.createDatabase("as_declared", async (client) => {
      await declare(client, [privileges, rules, notes]);
    });
    for (const name of ["equal", "changed"]) {
      await server.admin.query(`create database ${name} template as_declared`);
    }
    const equal = server.urlOf("equal");
    const changed = server.urlOf("changed");
    const none = { statements: [], destructive: [], back: [] };
    expect(await schemaDifference(equal, changed)).toEqual(none);

    const runAll = async (url: string, statements: readonly string[]) => {
      await withOwner(url, async (client) => {
        await client.query("set role postgres");
        for (const sql of statements) await client.query(sql);
      });
    };
    await runAll(
      changed,
      changes.map(([sql]) => sql),
    );
    const { statements, destructive, back } = await schemaDifference(equal, changed);
    expect(back).not.toEqual([]);
    for (const [sql, written] of changes) {
      expect(statements, sql).toContainEqual(expect.stringMatching(written));
    }
    expect(destructive).toContainEqual(expect.stringMatching(/"notes_text_check"/));
    await runAll(equal, statements);
    expect(await schemaDifference(equal, changed)).toEqual(none);
  });
});
