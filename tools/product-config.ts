import { z } from "zod";
import {
  BootError,
  formatIssues,
  isLoopbackHost,
  readHostConfig,
  reasonForProduction,
  withoutEmpty,
} from "../packages/host/src/config.ts";

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
    .regex(/^whsec_\w+$/, "is not a webhook secret")
    .optional(),
  STRIPE_PRICE_STUDENT: z.string().min(1).default("price_student_access"),
  STRIPE_PRICE_MENTOR: z.string().min(1).default("price_mentor_access"),
  DEMO: z.enum(["0", "1"], "must be 0 or 1").optional(),
});

/** Keys of the real card provider. */
export interface StripeKeys {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
}

/** The product's own part of the environment. */
export interface ProductConfig {
  /** Undefined: the offline sandbox stands in. */
  stripe: StripeKeys | undefined;
  /** Provider price by plan id. */
  prices: Readonly<Record<"student-access" | "mentor-access", string>>;
  demo: boolean;
}

type Values = z.infer<typeof environment>;

function stripeKeys(values: Values, faults: string[]): StripeKeys | undefined {
  const names = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] as const;
  const [secretKey, publishableKey, webhookSecret] = names.map((name) => values[name]);
  if (secretKey && publishableKey && webhookSecret) {
    return { secretKey, publishableKey, webhookSecret };
  }
  const missing = names.filter((name) => values[name] === undefined);
  if (missing.length < names.length) {
    faults.push(...missing.map((name) => `${name}: must be set together with the other two keys`));
  }
  return undefined;
}

/**
 * Reads and checks the whole environment, the host's part and the product's.
 * @throws {BootError} listing every fault of both at once.
 */
export function readProductConfig(
  env: Readonly<Record<string, string | undefined>>,
): ProductConfig {
  const faults: string[] = [];
  let embedded = false;
  const reason = reasonForProduction(env);
  const production = reason !== undefined;
  try {
    const host = readHostConfig(env);
    embedded = host.databaseUrl === undefined && isLoopbackHost(host.host);
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    faults.push(
      ...error.message
        .split("\n")
        .slice(1)
        .map((line) => line.trim()),
    );
  }
  const parsed = environment.safeParse(withoutEmpty(env));
  if (!parsed.success) faults.push(...formatIssues(parsed.error));
  const values = parsed.data;
  const stripe = values && stripeKeys(values, faults);
  if (production && values) {
    const before = faults.length;
    if (values.DEMO === "1") faults.push("DEMO: demo accounts are not allowed in production");
    if (!stripe) {
      faults.push("STRIPE_SECRET_KEY: must be set in production; the sandbox takes no real money");
    }
    // Without it sign-up would take any address for confirmed, and nobody could get a password link.
    if (!withoutEmpty(env)["SMTP_URL"]) faults.push("SMTP_URL: must be set in production");
    for (const name of ["STRIPE_PRICE_STUDENT", "STRIPE_PRICE_MENTOR"] as const) {
      if (withoutEmpty(env)[name] === undefined) faults.push(`${name}: must be set in production`);
    }
    if (faults.length > before && !faults.includes(reason)) faults.unshift(reason);
  }
  if (values === undefined || faults.length > 0) {
    throw new BootError(`The environment is not usable:\n  ${faults.join("\n  ")}`);
  }
  return {
    stripe,
    prices: {
      "student-access": values.STRIPE_PRICE_STUDENT,
      "mentor-access": values.STRIPE_PRICE_MENTOR,
    },
    demo: values.DEMO === undefined ? embedded && !production && !stripe : values.DEMO === "1",
  };
}
