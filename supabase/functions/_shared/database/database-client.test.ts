import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { callRpc, type DatabaseClient } from "./database-client.ts";

function clientThatAnswers(status: number, body: unknown): DatabaseClient {
  return createClient("http://backend.test", "key", {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: async () => Response.json(body, { status }) },
  });
}

test("a procedure's answer is handed on", async () => {
  const client = clientThatAnswers(200, 7);
  expect(await callRpc(client, "billing_next_ticket", { event: null })).toBe(7);
});

test("its error is thrown under the procedure's name", async () => {
  const client = clientThatAnswers(400, { code: "FF300", message: "Too often." });
  const call = callRpc(client, "expire_room_leases", {});
  await expect(call).rejects.toMatchObject({
    message: "expire_room_leases",
    cause: { code: "FF300" },
  });
});

test("names, arguments and results are those of the database", async () => {
  const client = clientThatAnswers(200, []);
  // @ts-expect-error -- no such procedure
  await callRpc(client, "claim_pushs", {});
  // @ts-expect-error -- no such argument
  await callRpc(client, "claim_pushes", { batch: 5 });
  // @ts-expect-error -- a number is wanted
  await callRpc(client, "claim_pushes", { batch_size: "5" });
  // @ts-expect-error -- the claim is missing
  await client.rpc("record_email_result", { email: "1" });
  // @ts-expect-error -- the number may be null
  const version: number = await callRpc(client, "billing_next_ticket", {});
  const [push] = await callRpc(client, "claim_pushes", {});
  // @ts-expect-error -- no such column
  expect([version, push?.address]).toEqual([[], undefined]);
});
