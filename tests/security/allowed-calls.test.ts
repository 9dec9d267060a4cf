import { beforeAll, describe, expect, test } from "vitest";
import type { Account } from "../support/clients.ts";
import { anonymous } from "../support/clients.ts";
import {
  member,
  newcomer,
  setSubscriptionStatus,
  stored,
  startMembership,
  uploadVerificationDocument,
} from "./members.ts";

/** Every call of the app on these tables, made twice. */
describe("a member using the app's calls", () => {
  let account: Account;
  beforeAll(async () => {
    account = await newcomer();
  });

  test("reads the plans, signed in or not", async () => {
    for (const client of [account.client, anonymous()]) {
      const { data, error } = await client
        .from("plans")
        .select("*")
        .eq("is_active", true)
        .order("id");
      expect(error).toBeNull();
      expect(data).toMatchObject([
        { id: "mentor-access", amount_pence: 10_000, currency: "GBP", interval: "month" },
        { id: "student-access", amount_pence: 5000 },
      ]);
    }
  });

  test("reads the own profile, all columns and one", async () => {
    const profiles = account.client.from("profiles");
    const whole = await profiles.select("*").eq("id", account.id).maybeSingle();
    expect(whole.data).toMatchObject({ role: "student", onboarding_complete: false });
    const role = await profiles.select("role").eq("id", account.id).single();
    expect(role.data).toEqual({ role: "student" });
  });

  test("has no customer and no subscription before paying, then one of each", async () => {
    const { client, id } = account;
    const customer = () =>
      client
        .from("stripe_customers")
        .select("customer_id")
        .eq("user_id", id)
        .is("deleted_at", null)
        .maybeSingle();
    expect(await customer()).toMatchObject({ data: null, error: null });
    await startMembership(id);
    const found = await customer();
    expect(found.data).toEqual({ customer_id: `cus_test_${id}` });
    const subscription = await client
      .from("stripe_subscriptions")
      .select("*")
      .eq("customer_id", `cus_test_${id}`)
      .is("deleted_at", null)
      .maybeSingle();
    expect(subscription.error).toBeNull();
    expect(subscription.data).toMatchObject({ status: "active", cancel_at_period_end: false });
  });

  test("switches a kind of email off and on, and reads the choice", async () => {
    const { client, id } = account;
    for (const email of [false, true]) {
      const row = { user_id: id, kind: "tips", email };
      expect((await client.from("notification_preferences").upsert(row)).error).toBeNull();
      const choices = await client.from("notification_preferences").select("kind, email");
      expect(choices.data).toEqual([{ kind: "tips", email }]);
    }
  });

  test("chooses how often the digest comes, and where it is told of a topic", async () => {
    const { client, id } = account;
    for (const frequency of ["daily", "off"]) {
      const row = { user_id: id, frequency };
      expect((await client.from("digest_choices").upsert(row)).error).toBeNull();
      const choice = await client.from("digest_choices").select("frequency").maybeSingle();
      expect(choice.data).toEqual({ frequency });
    }
    const topic = { user_id: id, kind: "pacts" };
    for (const choice of [{ bell: false }, { push: false }, { email: false }, { bell: true }]) {
      const saved = await client.from("notification_preferences").upsert({ ...topic, ...choice });
      expect(saved.error).toBeNull();
    }
    const read = client.from("notification_preferences").select("kind, bell, email, push");
    expect((await read.eq("kind", "pacts").single()).data).toEqual({
      kind: "pacts",
      bell: true,
      email: false,
      push: false,
    });
  });

  test("saves onboarding progress and answers twice", async () => {
    const { client, id } = account;
    for (const current_step of [6, 7]) {
      const progress = await client.from("onboarding_progress").upsert({
        user_id: id,
        current_step,
        completed_steps: Array.from({ length: current_step - 1 }, (_, i) => i + 1),
        data: { motivation: "Freedom" },
        updated_at: new Date().toISOString(),
      });
      expect(progress.error).toBeNull();
      const answers = ["motivation", "commitment_level"].map((question) => ({
        user_id: id,
        page_number: 6,
        question,
        answer: String(current_step),
      }));
      const responses = await client
        .from("onboarding_responses")
        .upsert(answers, { onConflict: "user_id,page_number,question" });
      expect(responses.error).toBeNull();
    }
    const saved = await client
      .from("onboarding_progress")
      .select("*")
      .eq("user_id", id)
      .maybeSingle();
    expect(saved.data).toMatchObject({ current_step: 7, data: { motivation: "Freedom" } });
    expect(await stored("onboarding_responses", "user_id", id)).toHaveLength(2);
  });

  test("submits a document and reads the latest one and the number of rejections", async () => {
    const { client, id } = account;
    const document_url = await uploadVerificationDocument(account);
    const sent = { user_id: id, document_type: "passport", document_url, status: "pending" };
    expect((await client.from("user_verifications").insert(sent)).error).toBeNull();
    const latest = await client
      .from("user_verifications")
      .select("*")
      .eq("user_id", id)
      .order("submitted_at", { ascending: false })
      .limit(1)
      .maybeSingle();
    expect(latest.data).toMatchObject(sent);
    const rejected = await client
      .from("user_verifications")
      .select("*", { count: "exact", head: true })
      .eq("user_id", id)
      .eq("status", "rejected");
    expect(rejected).toMatchObject({ error: null, count: 0 });
  });

  test("completes onboarding, repeats the last step, and is at level 1", async () => {
    const { client, id } = await member();
    const again = await client
      .from("profiles")
      .upsert({ id, onboarding_complete: true, first_name: "Augusta" })
      .select()
      .single();
    expect(again.data).toMatchObject({ onboarding_complete: true, first_name: "Augusta" });
    const level = await client
      .from("user_levels")
      .upsert({ user_id: id, current_level: 1, unlocked_levels: [0, 1] }, { onConflict: "user_id" })
      .select()
      .single();
    expect(level.data).toMatchObject({ current_level: 1, unlocked_levels: [0, 1] });
    expect((await client.rpc("effective_level")).data).toBe(1);
    await setSubscriptionStatus(id, "canceled");
    expect((await client.rpc("effective_level")).data).toBe(0);
  });

  test("inserts a progress row and sends counters, which are accepted", async () => {
    const { client, id } = account;
    expect((await client.from("user_progress").insert({ user_id: id })).error).toBeNull();
    const sums = await client
      .from("user_progress")
      .update({ message_engagements: 3, updated_at: new Date().toISOString() })
      .eq("user_id", id);
    expect(sums.error).toBeNull();
    const { data } = await client.from("user_progress").select("*").eq("user_id", id).maybeSingle();
    expect(data).toMatchObject({
      message_engagements: 0,
      chat_rooms_opened: [],
      articles_read_by_category: { general: [], business: [], wealth: [] },
    });
  });

  test("reads dashboard figures and exports data", async () => {
    const { client, id, email } = await member("mentor-access");
    const figures = await client.rpc("dashboard_figures").single();
    expect(figures.data).toMatchObject({ level: 1, onboarding_complete: true, likes_received: 0 });
    const exported = await client.rpc("export_my_data");
    expect(exported.data).toMatchObject({
      account: { id, email },
      profile: { role: "mentor" },
      subscriptions: [{ status: "active" }],
      verifications: [{ status: "pending" }],
    });
  });

  test("reads the public columns of other members", async () => {
    const [reader, author] = [await member(), await member("mentor-access")];
    const { data } = await reader.client
      .from("profiles")
      .select("id, first_name, last_name, role, occupation")
      .in("id", [author.id]);
    expect(data).toEqual([
      {
        id: author.id,
        first_name: "Ada",
        last_name: "Byron",
        role: "mentor",
        occupation: "Engineer",
      },
    ]);
  });
});
