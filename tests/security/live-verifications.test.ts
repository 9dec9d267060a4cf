import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import { beforeAll, describe, expect, test } from "vitest";
import type { Account } from "../support/clients.ts";
import {
  administrator,
  newcomer,
  reviewVerification,
  uploadVerificationDocument,
} from "./members.ts";

let admin: Account;
beforeAll(async () => {
  admin = await administrator();
});

function submission(account: Account, document_url: string) {
  return { user_id: account.id, document_type: "passport", document_url, status: "pending" };
}

async function handIn(account: Account, stamp: number): Promise<string> {
  const name = await uploadVerificationDocument(account, stamp);
  const { data, error } = await account.client
    .from("user_verifications")
    .insert(submission(account, name))
    .select("id")
    .single();
  if (error) throw new Error(error.message);
  return String(data.id);
}

describe("a reset of five rejections", () => {
  test("arrives live at the account it is about, which alone may listen", async () => {
    const [ada, eve] = [await newcomer(), await newcomer()];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const verification_id = await handIn(ada, attempt);
      const decision = { verification_id, decision: "rejected", reason: "Not readable" };
      expect((await admin.client.rpc("review_verification", decision)).error).toBeNull();
    }
    const listenTo = async (account: Account, onReset: () => void = () => undefined) => {
      await account.client.realtime.setAuth();
      return await new Promise<string>((resolve) => {
        account.client
          .channel(`identity:${ada.id}`, { config: { private: true } })
          .on("broadcast", { event: "attempts_reset" }, onReset)
          .subscribe(resolve);
      });
    };
    const told = Promise.withResolvers<void>();
    expect(await listenTo(ada, told.resolve)).toBe(REALTIME_SUBSCRIBE_STATES.SUBSCRIBED);
    for (const other of [eve, admin])
      expect(await listenTo(other)).toBe(REALTIME_SUBSCRIBE_STATES.CHANNEL_ERROR);
    const reset = { member: ada.id, decision: "reset", reason: "Sent a scan by post" };
    expect((await admin.client.rpc("decide_flagged_verification", reset)).error).toBeNull();
    await told.promise;
    await Promise.all([ada, eve, admin].map(({ client }) => client.removeAllChannels()));
  });
});

describe("a decision", () => {
  test("arrives live at the account it is about, and at no other", async () => {
    const [ada, eve] = [await newcomer(), await newcomer()];
    const [theirs, own] = [await handIn(ada, 1), await handIn(eve, 1)];
    const [atAda, atEve] = [await listen(ada), await listen(eve)];
    await reviewVerification(admin, theirs);
    await atAda.until(theirs);
    await reviewVerification(admin, own, { decision: "rejected", reason: "Blurred" });
    await atEve.until(own);
    expect(atAda.seen).toMatchObject([{ id: theirs, status: "approved", user_id: ada.id }]);
    expect(atEve.seen).toMatchObject([{ id: own, status: "rejected", rejected_reason: "Blurred" }]);
    await Promise.all([ada, eve].map(({ client }) => client.removeAllChannels()));
  });
});

/** Subscribes to every decision the account may read. */
async function listen({ client }: Account) {
  await client.realtime.setAuth();
  const seen: Record<string, unknown>[] = [];
  let wake: () => void = () => undefined;
  const channel = client
    .channel("verifications")
    .on<Record<string, unknown>>(
      "postgres_changes",
      { event: "UPDATE", schema: "public", table: "user_verifications" },
      (change) => {
        seen.push(change.new);
        wake();
      },
    );
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve();
      else reject(error ?? new Error(status));
    });
  });
  const until = async (id: string) => {
    while (!seen.some((row) => row["id"] === id))
      await new Promise<void>((resolve) => (wake = resolve));
  };
  return { seen, until };
}
