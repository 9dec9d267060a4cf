import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Host } from "basehost";
import { insertFactor } from "basehost/accounts";
import type { Sandbox } from "card-sandbox";
import { demoAccounts, demoAuthenticatorKey, demoPassword, type DemoAccount } from "./accounts.ts";
import { markDemoInstall } from "../trial-data.ts";
import { finishOnboarding, payForPlan } from "./join.ts";
import { Calendar } from "./moments.ts";
import { seedFrontPage } from "./front-page.ts";
import { nameMentors } from "./named-mentors.ts";
import { people } from "./people.ts";
import { seedCharts, seedCovers, seedMessagePictures, seedPortraits } from "./pictures.ts";
import { drawSampleDocument } from "./sample-document.ts";
import { share } from "./likes.ts";
import { tellStory } from "./story.ts";
import { peopleIds, writePeople } from "./write-people.ts";
import { readDemoLibrary, writeStory } from "./write-story.ts";

const authOptions = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

/** When those one can sign in as were last here; what came since then is unread. */
const lastSeenMinutesAgo: Readonly<Record<string, number>> = {
  Priya: 80,
  Tom: 66,
  Helen: 110,
  Marcus: 140,
};

async function readMarker(path: string): Promise<boolean | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { complete: boolean }).complete;
}

async function accountId(service: SupabaseClient, email: string): Promise<string> {
  const { data, error } = await service.auth.admin.createUser({
    email,
    password: demoPassword,
    email_confirm: true,
  });
  if (data.user) return data.user.id;
  // An interrupted seed has created some accounts already.
  const { data: list } = await service.auth.admin.listUsers();
  const user = list.users.find((candidate) => candidate.email === email);
  if (!user) throw error ?? new Error(`no account ${email}`);
  return user.id;
}

/** Gives the demo's administrator an authenticator app, also one made by an earlier version. */
async function protectAdmin({ context }: Host): Promise<void> {
  const { email } = demoAccounts.find(({ role }) => role === "admin") ?? {};
  const { rows } = await context.db.admin.query<{ id: string }>(
    `select u.id from auth.users u where u.email = $1 and not exists (
       select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')`,
    [email],
  );
  for (const { id: userId } of rows) {
    const factor = {
      userId,
      name: "Demo",
      status: "verified",
      secret: demoAuthenticatorKey,
    } as const;
    await insertFactor(context.db.admin, context.keys, factor);
  }
}

/** Creates a demo account as members do: pay, complete onboarding, and only then get a level or a role. */
async function seedAccount(
  host: Host,
  service: SupabaseClient,
  account: DemoAccount,
): Promise<string> {
  const id = await accountId(service, account.email);
  const { admin } = host.context.db;
  const { rowCount } = await admin.query(
    "select from public.profiles where id = $1 and role = 'admin'",
    [id],
  );
  // Made an administrator by an interrupted seed.
  if (rowCount === 1) return id;
  const client = createClient(host.url, host.context.keys.api.anonKey, { auth: authOptions });
  const { error } = await client.auth.signInWithPassword({
    email: account.email,
    password: demoPassword,
  });
  if (error) throw error;
  const profile = await client
    .from("profiles")
    .upsert({ id, onboarding_complete: false, role: "student" })
    .select("onboarding_complete")
    .single();
  if (profile.error) throw new Error(profile.error.message);
  if (profile.data.onboarding_complete !== true) {
    await payForPlan(client, account.role === "mentor" ? "mentor-access" : "student-access");
    await finishOnboarding(client, id, account, await drawSampleDocument());
    const choices = { topics: [...account.topics], is_listed: true, shows_submissions: true };
    const chosen = await client.rpc("set_profile_choices", choices);
    if (chosen.error) throw new Error(chosen.error.message);
  }
  if (account.role === "admin") await admin.query("select private.make_admin($1)", [id]);
  return id;
}

/**
 * Creates the demo accounts on a new install. An interrupted seed continues at the next start;
 * an install with other members is never changed.
 * @returns true when the demo accounts exist.
 */
export async function seedDemo(host: Host, sandbox: Sandbox | undefined): Promise<boolean> {
  const marker = join(host.context.config.dataDir, "demo.json");
  const complete = await readMarker(marker);
  const pool = host.context.db.admin;
  if (complete === true) {
    await nameMentors(pool);
    await protectAdmin(host);
    return true;
  }
  if ((complete === undefined && !host.isNew) || !sandbox) return false;
  await writeFile(marker, JSON.stringify({ complete: false }));
  await markDemoInstall(host.context, "demo_accounts");
  const service = createClient(host.url, host.context.keys.api.serviceRoleKey, {
    auth: authOptions,
  });
  const members = new Map<string, { id: string; seenAt: number }>();
  const ids = await Promise.all(demoAccounts.map((account) => seedAccount(host, service, account)));
  for (const [place, id] of ids.entries()) {
    members.set(demoAccounts[place]?.firstName ?? "", { id, seenAt: 0 });
  }
  await protectAdmin(host);
  const calendar = new Calendar(Date.now());
  await writePeople(pool, calendar);
  await nameMentors(pool);
  for (const [firstName, id] of peopleIds) members.set(firstName, { id, seenAt: 0 });
  for (const [firstName, member] of members) {
    const minutesAgo = lastSeenMinutesAgo[firstName] ?? 150 + 90 * share(firstName);
    member.seenAt = calendar.now - minutesAgo * 60_000;
  }
  const names = new Map(
    [...demoAccounts, ...people].map(({ firstName, lastName }) => [
      firstName,
      `${firstName} ${lastName}`,
    ]),
  );
  const { events, pictures } = tellStory(calendar, await readDemoLibrary(pool), names);
  const [told] = (await pool.query("select from public.chat_messages limit 1")).rows;
  await Promise.all([
    seedPortraits(service, pool, members),
    told ? undefined : writeStory(pool, calendar, events, members),
  ]);
  await seedCharts(service, pool, pictures, members);
  await seedMessagePictures(service, pool, members);
  await seedCovers(service, pool);
  await seedFrontPage(pool);
  await writeFile(marker, JSON.stringify({ complete: true }));
  return true;
}
