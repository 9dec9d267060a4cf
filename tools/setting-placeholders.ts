import { withoutEmpty } from "basehost";
import type { CheckAnswer } from "./check-answer.ts";

/** Settings whose examples stand in docs/deploy.md and docs/database-login.sql. */
const settings = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_REPLICA_URL",
  "MAIL_FROM",
  "METRICS_TOKEN",
  "PUBLIC_URL",
  "SMTP_URL",
  "STRIPE_PRICE_MENTOR",
  "STRIPE_PRICE_STUDENT",
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "VAPID_PRIVATE_KEY",
  "VAPID_PUBLIC_KEY",
  "VAPID_SUBJECT",
] as const;

/** Names that stand for another one, such as `YOUR-PASSWORD`, and the domains that are reserved for examples (RFC 2606). */
const placeholder =
  /YOURS?(?![A-Za-z])|change[-_ ]?me|replace[-_ ]?me|user:password@|(?:^|[/@.])example\.(?:com|net|org)\b|\.(?:example|invalid)(?![\w.-])/i;

/** Names the settings that were copied from the documents and never filled in; never a value, which may be a secret. */
export function checkPlaceholders(env: Readonly<Record<string, string | undefined>>): CheckAnswer {
  const given = withoutEmpty(env);
  const left = settings.filter((name) => placeholder.test(given[name] ?? ""));
  if (left.length === 0) return "every setting has a value of its own";
  return { warning: `still as in the documents: ${left.join(", ")}` };
}
