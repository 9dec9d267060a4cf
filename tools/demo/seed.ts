import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Host } from "basehost";
import type { Sandbox } from "card-sandbox";
import { demoAccounts, demoPassword, type DemoAccount } from "./accounts.ts";
import { markTrial } from "../trial-data.ts";
import { seedConversation } from "./conversation.ts";
import { finishOnboarding, payForPlan } from "./join.ts";
import { seedPictures } from "./pictures.ts";
import { drawSampleDocument } from "./sample-document.ts";
import { seedSubmissions, type DemoMember } from "./submissions.ts";

const authOptions = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

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

/** Creates a demo account as members do: pay, complete onboarding, and only then get a level or a role. */
async function seedAccount(
  host: Host,
  service: SupabaseClient,
  account: DemoAccount,
): Promise<DemoMember> {
  const id = await accountId(service, account.email);
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
  const { admin } = host.context.db;
  if (profile.data.onboarding_complete !== true) {
    await payForPlan(client, account.role === "mentor" ? "mentor-access" : "student-access");
    await finishOnboarding(client, id, account, await drawSampleDocument());
    const choices = { topics: [...account.topics], is_listed: true, shows_submissions: true };
    const chosen = await client.rpc("set_profile_choices", choices);
    if (chosen.error) throw new Error(chosen.error.message);
  }
  if (account.role === "admin") await admin.query("select private.make_admin($1)", [id]);
  if (account.level === 4) {
    await admin.query(
      `update public.user_levels set current_level = 4, unlocked_levels = '{0,1,2,3,4}'
        where user_id = $1`,
      [id],
    );
  }
  return { id, client };
}

/**
 * Creates the demo accounts on a new install. An interrupted seed continues at the next start;
 * an install with other members is never changed.
 * @returns true when the demo accounts exist.
 */
export async function seedDemo(host: Host, sandbox: Sandbox | undefined): Promise<boolean> {
  const marker = join(host.context.config.dataDir, "demo.json");
  const complete = await readMarker(marker);
  if (complete === true) return true;
  if ((complete === undefined && !host.isNew) || !sandbox) return false;
  await writeFile(marker, JSON.stringify({ complete: false }));
  await markTrial(host.context, "demo_accounts");
  const service = createClient(host.url, host.context.keys.api.serviceRoleKey, {
    auth: authOptions,
  });
  const people = new Map<DemoAccount, string>();
  const members = new Map<string, DemoMember>();
  for (const account of demoAccounts) {
    const member = await seedAccount(host, service, account);
    people.set(account, member.id);
    members.set(account.email, member);
  }
  await seedPictures(members);
  await seedConversation(host, people);
  await seedSubmissions(members, async (table, id, hoursAgo) => {
    await host.context.db.admin.query(
      `update public.${table} set created_at = now() - $2 * interval '1 hour' where id = $1`,
      [id, hoursAgo],
    );
  });
  await writeFile(marker, JSON.stringify({ complete: true }));
  return true;
}
