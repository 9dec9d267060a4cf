import { expect, it } from "vitest";
import { readHostConfig } from "basehost";
import type { Queryable } from "basehost/database";
import { checkServerRoom } from "./server-room.ts";

const room = { connections: 90, slots: 9, senders: 9, slotLimit: 4096, idle: [] };
const answering = (more: object = {}) => {
  const query = async () => await Promise.resolve({ rows: [{ ...room, ...more }] });
  return { query } as unknown as Queryable;
};
const url = "postgresql://fourfold:secret@127.0.0.1:5432/fourfold";
const pool = "postgresql://fourfold:secret@127.0.0.1:6432/fourfold";

it("counts how many hosts fit into the connections that are left", async () => {
  expect(await checkServerRoom(answering(), readHostConfig({ DATABASE_URL: url }))).toContain(
    "room for 1 more host with 46 connections each (free: 90 connections",
  );
  const small = readHostConfig({ DATABASE_URL: url, DATABASE_CONNECTIONS: "29" });
  expect(await checkServerRoom(answering(), small)).toContain("room for 2 more hosts with 33");
});

it("counts behind a pool what a host opens beside it", async () => {
  const config = readHostConfig({ DATABASE_URL: pool, DATABASE_DIRECT_URL: url });
  expect(await checkServerRoom(answering(), config)).toMatch(
    /room for 4 more hosts with 19 direct connections each .*default_pool_size for each of 3 logins/,
  );
});

it("warns where the next host finds too little, or a slot may fill the disk", async () => {
  const config = readHostConfig({ DATABASE_URL: url });
  expect(await checkServerRoom(answering({ connections: 45 }), config)).toHaveProperty(
    "warning",
    expect.stringContaining("raise max_connections"),
  );
  expect(await checkServerRoom(answering({ slotLimit: -1 }), config)).toHaveProperty(
    "warning",
    expect.stringContaining("max_slot_wal_keep_size is -1"),
  );
});
