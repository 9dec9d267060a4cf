import { createClient } from "@supabase/supabase-js";
import type { BrowserContext } from "@playwright/test";
import { finishOnboarding, payForPlan } from "../../../tools/demo/join.ts";
import { enrollSecondFactor, type EnrolledFactor } from "../../support/second-factor.ts";
import { newEmail, testPassword, type Account } from "../../support/test-account.ts";
import { runAsOwner } from "./owner-database.ts";
import { running } from "./running-product.ts";
import { writeMembership } from "./write-membership.ts";

export { newEmail, runAsOwner, testPassword, type Account };

const sessionlessAuth = {
  persistSession: false,
  autoRefreshToken: false,
  detectSessionInUrl: false,
};

/** How far an account has come before the test begins. */
export type Stage = "signed-up" | "paid" | "onboarded";

type PlanId = "student-access" | "mentor-access";

async function signUp(): Promise<Account> {
  const { host } = running();
  const client = createClient(host.url, host.anonKey, { auth: sessionlessAuth });
  const email = newEmail();
  const { data, error } = await client.auth.signUp({ email, password: testPassword });
  if (error) throw error;
  if (!data.user) throw new Error("sign-up gave no user");
  const { id } = data.user;
  const row = { id, onboarding_complete: false, role: "student" };
  const profile = await client.from("profiles").insert(row);
  if (profile.error) throw new Error(profile.error.message);
  return { id, email, client };
}

/** Makes an account without the browser. The card provider knows nothing of its membership; `createSubscriber` is for that. */
export async function createAccount(
  stage: Stage,
  plan: PlanId = "student-access",
  firstName = "Amara",
): Promise<Account> {
  const account = await signUp();
  if (stage !== "signed-up") {
    await writeMembership(account.id, plan, stage === "onboarded" ? firstName : undefined);
  }
  return account;
}

/** Makes an account that pays at the card provider, by the calls the app makes. */
export async function createSubscriber(
  stage: "paid" | "onboarded" = "onboarded",
  plan: PlanId = "student-access",
): Promise<Account> {
  const account = await signUp();
  await payForPlan(account.client, plan);
  if (stage === "onboarded") {
    await finishOnboarding(account.client, account.id, {
      firstName: "Amara",
      lastName: "Whitfield",
      occupation: "Optician",
      bio: "",
    });
  }
  return account;
}

/** Saves how far an account has come in the wizard, as the wizard itself does. */
export async function saveOnboardingStep(account: Account, step: number): Promise<void> {
  const { error } = await account.client.from("onboarding_progress").upsert({
    user_id: account.id,
    current_step: step,
    completed_steps: Array.from({ length: step - 1 }, (_, index) => index + 1),
    data: {},
  });
  if (error) throw new Error(error.message);
}

/** An administrator without a second factor, to whom nothing opens. */
export async function createAdminWithoutSecondFactor(): Promise<Account> {
  const account = await createAccount("signed-up");
  await runAsOwner("select private.make_admin($1)", [account.id]);
  return account;
}

/** An administrator whose session has shown a second factor. It was set up before the appointment, which a password may do. */
async function createAdminWithFactor(): Promise<{ admin: Account; factor: EnrolledFactor }> {
  const admin = await createAccount("signed-up");
  const factor = await enrollSecondFactor(admin.client);
  await runAsOwner("select private.make_admin($1)", [admin.id]);
  return { admin, factor };
}

/** An administrator whose session has shown a second factor. */
export async function createAdmin(): Promise<Account> {
  return (await createAdminWithFactor()).admin;
}

/** As `createAdmin`, with a factor older than the session, so that its codes count as fresh; returns its codes, too. */
export async function createAdminWithCodes(): Promise<{ admin: Account; nextCode: () => string }> {
  const { admin, factor } = await createAdminWithFactor();
  const { id, nextCode } = factor;
  await runAsOwner(
    "update auth.mfa_factors set created_at = created_at - interval '1 hour' where id = $1",
    [id],
  );
  return { admin, nextCode };
}

/** Puts the account's session where the app keeps it, as if it had signed in here before. */
export async function seedSession(context: BrowserContext, account: Account): Promise<void> {
  const { data } = await account.client.auth.getSession();
  const { hostname } = new URL(running().host.url);
  await context.addInitScript(
    ([key, value]) => {
      // In the page itself, not in its frames; and once, so that a later sign-out stays one.
      if (window !== window.top) return;
      if (sessionStorage.getItem("session-carried") !== null) return;
      sessionStorage.setItem("session-carried", "yes");
      localStorage.setItem(key, value);
    },
    [`sb-${hostname.split(".")[0]}-auth-token`, JSON.stringify(data.session)] as const,
  );
}
