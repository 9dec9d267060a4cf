import { z } from "zod";
import {
  BootError,
  formatIssues,
  isLoopbackHost,
  readHostConfig,
  reasonForProduction,
  withoutEmpty,
} from "basehost";
import { publicKeyOf, type PushKeys } from "./push-keys.ts";

const environment = z.object({
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, "is not a secret key")
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, "is not a publishable key")
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(
      /^whsec_\w+(\s*,\s*whsec_\w+)?$/,
      "is not a webhook secret, nor two with a comma between",
    )
    .optional(),
  STRIPE_API_BASE: z
    .string()
    .regex(
      /^https?:\/\/[\w.-]+(:\d+)?$/,
      "must be an address without a path, such as http://127.0.0.1:12111",
    )
    .optional(),
  STRIPE_PRICE_STUDENT: z.string().min(1).default("price_student_access"),
  STRIPE_PRICE_MENTOR: z.string().min(1).default("price_mentor_access"),
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]{87}$/, "is not a public key of VAPID")
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, "is not a private key of VAPID")
    .optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must begin with mailto: or https://")
    .optional(),
  SMTP_CONNECTIONS: z
    .string()
    .regex(/^([1-9]|[1-4]\d|50)$/, "must be a whole number from 1 to 50")
    .optional(),
  DEMO: z.enum(["0", "1"], "must be 0 or 1").optional(),
  SIGN_IN_STAND_INS: z.enum(["0", "1"], "must be 0 or 1").optional(),
});

/** Keys of the card provider. */
export interface StripeKeys {
  secretKey: string;
  publishableKey: string;
  /** Two, with a comma between them, while the endpoint's secret is being replaced. */
  webhookSecret: string;
}

/** The environment variables of the product itself. */
export interface ProductConfig {
  /** Undefined when the host starts an offline sandbox of its own. */
  stripe: StripeKeys | undefined;
  /** Address of an offline sandbox that several hosts share, with `stripe` as its keys. */
  sharedSandbox: string | undefined;
  /** The provider's price id by plan id. */
  prices: Readonly<Record<"student-access" | "mentor-access", string>>;
  demo: boolean;
  /** True when stand-ins answer for Google and Apple, so that anyone can be anyone. */
  signInStandIns: boolean;
  /** Undefined when they follow from the install's secret. */
  pushKeys: PushKeys | undefined;
  /** How many e-mails go to the mail server side by side; undefined for the default of send-emails. */
  smtpConnections: string | undefined;
  /** How push services reach the operator; undefined for the site's own address. */
  pushSubject: string | undefined;
}

type Values = z.infer<typeof environment>;

function stripeKeys(values: Values, issues: string[]): StripeKeys | undefined {
  const names = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] as const;
  const [secretKey, publishableKey, webhookSecret] = names.map((name) => values[name]);
  if (secretKey && publishableKey && webhookSecret) {
    // A browser with a test key confirms no payment of a live account, and the other way round.
    if (secretKey.includes("_live_") !== publishableKey.includes("_live_")) {
      issues.push(
        "STRIPE_PUBLISHABLE_KEY: is of the other mode, test or live, than the secret key",
      );
    }
    // A key that moves money is told to nobody but the provider.
    if (values.STRIPE_API_BASE !== undefined && secretKey.includes("_live_")) {
      issues.push("STRIPE_API_BASE: is the address of a sandbox, which needs no live key");
    }
    return { secretKey, publishableKey, webhookSecret };
  }
  const missing = names.filter((name) => values[name] === undefined);
  if (missing.length < names.length || values.STRIPE_API_BASE !== undefined) {
    issues.push(...missing.map((name) => `${name}: must be set together with the other keys`));
  }
  return undefined;
}

function readPushKeys(values: Values, issues: string[]): PushKeys | undefined {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = values;
  if (publicKey === undefined && privateKey === undefined) return undefined;
  if (publicKey === undefined || privateKey === undefined) {
    const missing = publicKey === undefined ? "VAPID_PUBLIC_KEY" : "VAPID_PRIVATE_KEY";
    issues.push(`${missing}: must be set together with the other key`);
    return undefined;
  }
  // A pair of two halves would be refused by every push service, long after the start.
  if (!isPair(publicKey, privateKey)) issues.push("VAPID_PUBLIC_KEY: is not of VAPID_PRIVATE_KEY");
  return { publicKey, privateKey };
}

function isPair(publicKey: string, privateKey: string): boolean {
  try {
    return publicKeyOf(privateKey) === publicKey;
  } catch {
    return false;
  }
}

/**
 * Reads and validates the whole environment, the host's part and the product's.
 * @throws {BootError} listing every issue of both.
 */
export function readProductConfig(
  env: Readonly<Record<string, string | undefined>>,
): ProductConfig {
  const issues: string[] = [];
  let embedded = false;
  const reason = reasonForProduction(env);
  const production = reason !== undefined;
  try {
    const host = readHostConfig(env);
    embedded = host.databaseUrl === undefined && isLoopbackHost(host.host);
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    issues.push(
      ...error.message
        .split("\n")
        .slice(1)
        .map((line) => line.trim()),
    );
  }
  const parsed = environment.safeParse(withoutEmpty(env));
  if (!parsed.success) issues.push(...formatIssues(parsed.error));
  const values = parsed.data;
  const stripe = values && stripeKeys(values, issues);
  const pushKeys = values && readPushKeys(values, issues);
  if (production && values) {
    const before = issues.length;
    if (values.DEMO === "1") issues.push("DEMO: demo accounts are not allowed in production");
    if (values.SIGN_IN_STAND_INS === "1") {
      issues.push("SIGN_IN_STAND_INS: would let anyone sign in as anyone in production");
    }
    if (values.STRIPE_API_BASE !== undefined) {
      issues.push("STRIPE_API_BASE: a sandbox takes no real money in production");
    }
    if (!stripe) {
      issues.push("STRIPE_SECRET_KEY: must be set in production; the sandbox takes no real money");
    }
    // Without it sign-up would confirm every address, and password links could not be sent.
    if (!withoutEmpty(env)["SMTP_URL"]) issues.push("SMTP_URL: must be set in production");
    for (const name of ["STRIPE_PRICE_STUDENT", "STRIPE_PRICE_MENTOR"] as const) {
      if (withoutEmpty(env)[name] === undefined) issues.push(`${name}: must be set in production`);
    }
    if (issues.length > before && !issues.includes(reason)) issues.unshift(reason);
  }
  if (values === undefined || issues.length > 0) {
    throw new BootError(`The environment is not usable:\n  ${issues.join("\n  ")}`);
  }
  return {
    stripe,
    sharedSandbox: values.STRIPE_API_BASE,
    pushKeys,
    pushSubject: values.VAPID_SUBJECT,
    smtpConnections: values.SMTP_CONNECTIONS,
    signInStandIns: values.SIGN_IN_STAND_INS === "1",
    prices: {
      "student-access": values.STRIPE_PRICE_STUDENT,
      "mentor-access": values.STRIPE_PRICE_MENTOR,
    },
    demo: values.DEMO === undefined ? embedded && !production && !stripe : values.DEMO === "1",
  };
}
