import { createClient } from "@supabase/supabase-js";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningHost } from "../../support/running.ts";
import { startHostWith } from "../auth/start-host-with.ts";

const tables = `
  create table public.notes (id int primary key);
  insert into public.notes values (1);
  alter table public.notes enable row level security;
  grant select, insert on public.notes to anon, authenticated;
  create policy all_notes on public.notes for all to anon using (true) with check (true);
  create function public.who() returns text language sql stable as $$ select current_setting('test.caller', true) $$;
  grant execute on function public.who() to anon;
  create table public.visits (id int generated always as identity);
  create function public.visit() returns void language sql volatile security definer as $$ insert into public.visits default values $$;
  create function public.sly() returns bigint language plpgsql stable as $$ begin perform public.visit(); return 1; end $$;
  create function public.visit_count() returns bigint language sql stable security definer as $$ select count(*) from public.visits $$;
  grant execute on function public.visit(), public.sly(), public.visit_count() to anon;
  create schema gate;
  grant usage on schema gate to anon, service_role;
  create function gate.check_request() returns void language plpgsql as $$
  begin
    perform set_config('test.caller', current_user::text, true);
    if current_setting('request.headers', true)::jsonb ? 'x-counted' then
      perform public.visit();
    end if;
    if current_setting('request.headers', true)::jsonb ? 'x-refused' then
      raise sqlstate 'PGRST' using
        message = '{"code": "GATE1", "message": "Not today."}', detail = '{"status": 401, "headers": {"x-gate": "shut"}}';
    end if;
  end
  $$;
  grant execute on function gate.check_request() to anon, service_role;
`;

const ways: readonly (readonly [string, string])[] = [
  [
    "a setting of the login role",
    "alter role authenticator set pgrst.db_pre_request = 'gate.check_request'",
  ],
  [
    "a setting for this database",
    `do $$ begin
       execute format('alter role authenticator in database %I set pgrst.db_pre_request = %L', current_database(), 'gate.check_request');
     end $$`,
  ],
  [
    "a comment, where no setting can be stored",
    "comment on function gate.check_request() is '@pre_request Refuses requests with the header.'",
  ],
];

describe.each(ways)("a function named by %s", (_, naming) => {
  let running: RunningHost;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const path = "supabase/migrations/20260101000000_gate.sql";
    ({ running, stop } = await startHostWith("", { files: { [path]: `${tables}${naming};` } }));
  });
  afterAll(async () => await stop());

  const clientWith = (headers: Record<string, string> = {}) =>
    createClient(running.url, running.anonKey, {
      auth: { persistSession: false },
      global: { headers },
    });

  it("runs as the caller before each request, in its transaction", async () => {
    expect((await clientWith().rpc("who")).data).toBe("anon");
    expect((await clientWith().from("notes").select()).data).toEqual([{ id: 1 }]);
  });

  it("can refuse reads, writes and calls with its own error", async () => {
    const client = clientWith({ "x-refused": "1" });
    for (const request of [
      client.from("notes").select(),
      client.from("notes").insert({ id: 2 }),
      client.from("notes").select().eq("id", 1).single(),
      client.rpc("who"),
    ]) {
      const { error, status } = await request;
      expect([status, error?.code, error?.message]).toEqual([401, "GATE1", "Not today."]);
    }
    expect((await clientWith().from("notes").select()).data).toEqual([{ id: 1 }]);
  });

  it("may count a read, which itself stays without a way to write", async () => {
    const counted = clientWith({ "x-counted": "1" });
    const count = async () => Number((await clientWith().rpc("visit_count")).data);
    const before = await count();
    expect((await counted.from("notes").select()).data).toEqual([{ id: 1 }]);
    expect((await counted.from("notes").select("*", { head: true })).error).toBeNull();
    expect(await count()).toBe(before + 2);
    // A read that fails counts nothing, as everything of its transaction is taken back.
    for (const client of [counted, clientWith()]) {
      for (const call of ["visit", "sly"]) {
        const { error, status } = await client.rpc(call, undefined, { get: true });
        expect([call, status, error?.code]).toEqual([call, 405, "25006"]);
      }
    }
    expect(await count()).toBe(before + 2);
  });

  it("is reloaded after a change", async () => {
    const owner = new pg.Client({ connectionString: running.databaseUrl });
    await owner.connect();
    await owner.query(
      "create or replace function gate.check_request() returns void language plpgsql as $$ begin raise 'shut'; end $$",
    );
    await owner.end();
    expect((await clientWith().from("notes").select()).error).toMatchObject({ message: "shut" });
  });
});
