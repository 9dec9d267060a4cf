import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkPlaceholders } from "./setting-placeholders.ts";

const fine = {
  PUBLIC_URL: "https://members.fourfold.club",
  STRIPE_SECRET_KEY: "sk_live_51AbYourc",
  STRIPE_PRICE_STUDENT: "price_1Qexample",
  SMTP_URL: "smtps://mailer:pa55%40word@mail.fourfold.club",
  MAIL_FROM: "hello@myexample.org",
  DATABASE_URL: "postgresql://fourfold:yourselves@127.0.0.1:5432/fourfold",
};

it("is content with values of one's own", () => {
  expect(checkPlaceholders(fine)).toBe("every setting has a value of its own");
  expect(checkPlaceholders({ SMTP_URL: "" })).toBe("every setting has a value of its own");
});

it("names every example of docs/deploy.md that was left", async () => {
  const text = await readFile(join(import.meta.dirname, "..", "docs", "deploy.md"), "utf8");
  const block = /NODE_ENV=production\n[\s\S]*?```/.exec(text)?.[0] ?? "";
  const given = Object.fromEntries(
    [...block.matchAll(/^\s*(\w+)=(.*)$/gm)].map((line) => line.slice(1)),
  );
  expect(checkPlaceholders(given)).toEqual({
    warning:
      "still as in the documents: MAIL_FROM, PUBLIC_URL, SMTP_URL, STRIPE_PRICE_MENTOR, STRIPE_PRICE_STUDENT, " +
      "STRIPE_PUBLISHABLE_KEY, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET",
  });
});

it.each([
  ["DATABASE_URL", "postgresql://fourfold:YOUR-PASSWORD@127.0.0.1:5432/fourfold"],
  ["DATABASE_URL", "postgresql://fourfold:CHANGE-ME@127.0.0.1/fourfold"],
  ["DATABASE_DIRECT_URL", "postgresql://fourfold:YOUR-PASSWORD@127.0.0.1:5432/fourfold"],
  ["DATABASE_REPLICA_URL", "postgresql://fourfold:YOUR-PASSWORD@10.0.0.20:5432/fourfold"],
  ["VAPID_SUBJECT", "mailto:you@example.org"],
  ["VAPID_PRIVATE_KEY", "YOURS"],
  ["METRICS_TOKEN", "YOUR-METRICS-TOKEN-that-is-long-enough"],
  ["PUBLIC_URL", "https://members.example"],
  ["SMTP_URL", "smtp://mail.example.com:587"],
])("sees it in %s=%s, and does not repeat the value", (name, value) => {
  expect(checkPlaceholders({ ...fine, [name]: value })).toEqual({
    warning: `still as in the documents: ${name}`,
  });
});
