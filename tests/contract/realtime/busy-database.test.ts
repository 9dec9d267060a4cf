import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { defaultLimits, realtimeDefaults, TokenVerifier } from "basehost/testing";
import { signToken } from "../rest/callers.ts";
import { contextOfFile, hostOfFile, startOwnHost } from "./own-host.ts";
import { startRealtime, type OwnRealtime } from "./own-realtime.ts";
import { rawSocket, type RawSocket } from "./raw-socket.ts";
import { closeOwnerConnections, ownerConnections } from "./rows.ts";

startOwnHost();
const refused = randomUUID();
let service: OwnRealtime | undefined;
let sockets: RawSocket[] = [];
let held: pg.PoolClient[] = [];

beforeAll(async () => {
  await ownerConnections().query(`
    create schema gate;
    grant usage on schema gate to anon, authenticated, service_role;
    create function gate.check_request() returns void language plpgsql as $$
    begin
      if current_user not in ('anon', 'authenticated', 'service_role') then
        raise exception 'asked as %', current_user;
      end if;
      if auth.uid() = '${refused}' then raise exception 'not this one'; end if;
    end
    $$;
    grant execute on function gate.check_request() to anon, authenticated, service_role;
    alter role authenticator set pgrst.db_pre_request = 'gate.check_request'`);
});

afterEach(async () => {
  for (const client of held) client.release();
  held = [];
  for (const { socket } of sockets) socket.terminate();
  sockets = [];
  await service?.stop();
  service = undefined;
  vi.restoreAllMocks();
});
afterAll(closeOwnerConnections);

async function connect(): Promise<RawSocket> {
  const socket = await rawSocket((service ??= await startRealtime()).running);
  sockets.push(socket);
  return socket;
}

async function tokenOf(sub: string): Promise<string> {
  return await signToken(
    { sub, role: "authenticated", aud: "authenticated" },
    hostOfFile().jwtSecret,
  );
}

interface Answer {
  status: string;
  response: { reason?: string };
}

async function join({ push, frames }: RawSocket, token: string): Promise<Answer> {
  const before = frames.items.length;
  push("realtime:lobby", "phx_join", { config: {}, access_token: token });
  const find = () => frames.items.slice(before).find((frame) => frame[3] === "phx_reply");
  while (find() === undefined) await frames.until(frames.items.length + 1);
  return find()?.[4] as Answer;
}

async function hold(count: number, connect: () => Promise<pg.PoolClient>): Promise<void> {
  for (let index = 0; index < count; index += 1) held.push(await connect());
}

test("a join does not wait for the request pool, whose connections its account may hold", async () => {
  const sub = randomUUID();
  const claims = { sub, role: "authenticated" };
  const share = contextOfFile().db.poolOf({ role: "authenticated", userId: sub, claims });
  await hold(defaultLimits.database.perMember, async () => await share.connect());
  expect(await join(await connect(), await tokenOf(sub))).toMatchObject({ status: "ok" });
});

test("an account the pre-request function rejects cannot join", async () => {
  expect(await join(await connect(), await tokenOf(refused))).toEqual({
    status: "error",
    response: { reason: "Unauthorized: This session may not be used yet, or not any more" },
  });
});

test("a busy database makes clients join again later and logs no error", async () => {
  const { db, log } = contextOfFile();
  const errors = vi.spyOn(log, "error");
  const socket = await connect();
  const token = await tokenOf(randomUUID());
  await hold(defaultLimits.database.connections.joins, async () => await db.joins.connect());
  expect(await join(socket, token)).toEqual({
    status: "error",
    response: { reason: "ClientJoinRateLimitReached: Too many joins per second" },
  });
  expect(errors).not.toHaveBeenCalled();
  for (const client of held.splice(0)) client.release();
  expect(await join(socket, token)).toMatchObject({ status: "ok" });
});

test("a caller over the HTTP broadcast limit is rejected before any query", async () => {
  const anon = { ...realtimeDefaults.anon, httpMessagesPerSecond: 1 };
  service = await startRealtime({ anon });
  const { request, running } = service;
  const send = async () => {
    const headers = { apikey: running.anonKey, "content-type": "application/json" };
    const body = JSON.stringify({ messages: [{ topic: "lobby", event: "hello", payload: {} }] });
    const url = "http://localhost/api/broadcast";
    return (await request(new Request(url, { method: "POST", headers, body }))).status;
  };
  const asked = vi.spyOn(TokenVerifier.prototype, "assertSessionActive");
  expect(await send()).toBe(202);
  expect(asked).toHaveBeenCalledTimes(1);
  while ((await send()) === 202);
  asked.mockClear();
  expect(await send()).toBe(429);
  expect(asked).not.toHaveBeenCalled();
});
