import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { finishOnboarding, payForPlan } from "../../tools/demo/join.ts";
import type { AttackedProduct } from "./product.ts";

const password = "Correct-Horse-42!";
const authOptions = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
/** Accounts created in parallel, limited by password hashing. */
const atATime = 4;
const mentorCount = 3;

/** An account of the product, signed in. */
export interface AttackAccount {
  id: string;
  token: string;
}

/** All accounts of an attack. */
export interface AttackAccounts {
  anonKey: string;
  unpaid: AttackAccount[];
  members: AttackAccount[];
  mentors: AttackAccount[];
  normal: (AttackAccount & { email: string })[];
  password: string;
}

async function makeAccount(
  product: AttackedProduct,
  anonKey: string,
  email: string,
): Promise<AttackAccount & { client: SupabaseClient }> {
  const service = createClient(product.url, product.serviceRoleKey, { auth: authOptions });
  const made = await service.auth.admin.createUser({
    email,
    password,
    email_confirm: true,
  });
  if (made.error) throw made.error;
  const client = createClient(product.url, anonKey, { auth: authOptions });
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  const { id } = data.user;
  const profile = await client
    .from("profiles")
    .insert({ id, onboarding_complete: false, role: "student" });
  if (profile.error) throw new Error(profile.error.message);
  return { id, token: data.session.access_token, client };
}

async function inTurns<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let from = 0; from < count; from += atATime) {
    const batch = Array.from(
      { length: Math.min(atATime, count - from) },
      (_, index) => from + index,
    );
    made.push(...(await Promise.all(batch.map(make))));
  }
  return made;
}

/** Creates `hostile` accounts that never paid, as many hostile members, a few hostile mentors, and four normal members. */
export async function createAttackAccounts(
  product: AttackedProduct,
  hostile: number,
): Promise<AttackAccounts> {
  const config = (await (await fetch(`${product.url}/config.json`)).json()) as {
    supabaseAnonKey: string;
  };
  const anonKey = config.supabaseAnonKey;
  const member = async (email: string, plan: "student-access" | "mentor-access") => {
    const person = await makeAccount(product, anonKey, email);
    await payForPlan(person.client, plan);
    await finishOnboarding(person.client, person.id, {
      firstName: "Ada",
      lastName: "Byron",
      occupation: "Engineer",
      bio: "Counts.",
    });
    return { id: person.id, token: person.token, email };
  };
  const [unpaid, members, normal, mentors] = await Promise.all([
    inTurns(hostile, async (index) => {
      const { id, token } = await makeAccount(product, anonKey, `unpaid-${index}@example.test`);
      return { id, token };
    }),
    inTurns(hostile, async (index) => member(`hostile-${index}@example.test`, "student-access")),
    inTurns(4, async (index) => member(`normal-${index}@example.test`, "student-access")),
    inTurns(mentorCount, async (index) => member(`mentor-${index}@example.test`, "mentor-access")),
  ]);
  return { anonKey, password, unpaid, members, mentors, normal };
}
