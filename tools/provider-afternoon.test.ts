import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Stripe } from "stripe";
import { startSandbox, type Sandbox } from "card-sandbox";
import { settleWithProvider } from "./provider-afternoon.ts";
import { providerQuestions } from "./provider-questions.ts";

const secretKey = "sk_test_afternoon";
let sandbox: Sandbox;
let stripe: Stripe;
let said: string[];

beforeEach(async () => {
  said = [];
  sandbox = await startSandbox({
    secretKey,
    publishableKey: "pk_test_afternoon",
    webhookSecret: "whsec_afternoon",
    publicBase: "http://127.0.0.1:3000/sandbox",
    prices: [],
  });
  const { hostname: host, port } = new URL(sandbox.apiBase);
  stripe = new Stripe(secretKey, { host, port, protocol: "http", telemetry: false });
});
afterEach(async () => await sandbox.stop());

const say = (line: string) => void said.push(line);

it("puts every open question to the account, and leaves nothing for sale behind", async () => {
  // The sandbox has one time for all clocks, so that each question has a sandbox of its own.
  const answers: Record<string, string> = {};
  for (const question of providerQuestions) {
    await sandbox.control.reset();
    said = [];
    const options = { questions: [question], pollMs: 1 };
    expect(await settleWithProvider(stripe, secretKey, say, options), said.join("\n")).toBe(0);
    answers[question.question] = said.at(-1)?.trim() ?? "";
    expect((await stripe.prices.list({ active: true })).data).toEqual([]);
    expect((await stripe.testHelpers.testClocks.list()).data).toEqual([]);
  }
  expect(Object.keys(answers)).toHaveLength(providerQuestions.length);
  expect(
    answers["Does cancelling after a planned change end the membership with its period?"],
  ).toBe("settled    it is canceled after 1 invoices");
  expect(
    answers["Does a card that was approved before a trial pay by itself when it ends?"],
  ).toContain("the subscription active");
});

it("is what the documents list", async () => {
  const document = new URL("../docs/subsystems/billing.md", import.meta.url);
  const text = await readFile(document, "utf8");
  for (const { question } of providerQuestions) expect(text).toContain(`| ${question} `);
});

it("names what is different and where to look, and goes on after a question that cannot be asked", async () => {
  const matters = "renewal.ts";
  const different = async () => await Promise.resolve({ answer: "no", isAsCountedOn: false });
  const broken = async () => await Promise.reject(new Error("no such permission"));
  const questions = [
    { question: "One?", matters, ask: broken },
    { question: "Two?", matters, ask: different },
  ];
  expect(await settleWithProvider(stripe, secretKey, say, { questions, pollMs: 1 })).toBe(2);
  expect(said).toEqual([
    "One?",
    "  not asked  no such permission",
    "Two?",
    "  DIFFERENT  no",
    "             look at: renewal.ts",
  ]);
});

it.each(["sk_live_1", "rk_live_1", ""])(
  "tries nothing on an account with the key %j",
  async (key) => {
    await expect(settleWithProvider(stripe, key, say)).rejects.toThrow("test mode");
    expect(said).toEqual([]);
  },
);
