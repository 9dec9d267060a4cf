import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { completeOnboarding, payForPlan } from "../../tools/demo/join.ts";
import type { Person } from "./kind.ts";
import type { AttackedProduct } from "./product.ts";

const PASSWORD = "Correct-Horse-42!";
const QUIET = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
/** Made at a time, so that hashing passwords takes no longer than it must. */
const atATime = 4;

/** Everybody who takes part. */
export interface People {
  anonKey: string;
  unpaid: Person[];
  members: Person[];
  honest: (Person & { email: string })[];
  password: string;
}

async function makeAccount(
  product: AttackedProduct,
  anonKey: string,
  email: string,
): Promise<Person & { client: SupabaseClient }> {
  const service = createClient(product.url, product.serviceRoleKey, { auth: QUIET });
  const made = await service.auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
  });
  if (made.error) throw made.error;
  const client = createClient(product.url, anonKey, { auth: QUIET });
  const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
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

/** Makes `hostile` accounts that never paid, as many members, and four honest members. */
export async function makePeople(product: AttackedProduct, hostile: number): Promise<People> {
  const config = (await (await fetch(`${product.url}/config.json`)).json()) as {
    supabaseAnonKey: string;
  };
  const anonKey = config.supabaseAnonKey;
  const member = async (email: string) => {
    const person = await makeAccount(product, anonKey, email);
    await payForPlan(person.client, "student-access");
    await completeOnboarding(person.client, person.id, {
      firstName: "Ada",
      lastName: "Byron",
      occupation: "Engineer",
      bio: "Counts.",
    });
    return { id: person.id, token: person.token, email };
  };
  return {
    anonKey,
    password: PASSWORD,
    unpaid: await inTurns(hostile, async (index) => {
      const { id, token } = await makeAccount(product, anonKey, `unpaid-${index}@example.test`);
      return { id, token };
    }),
    members: await inTurns(hostile, async (index) => member(`hostile-${index}@example.test`)),
    honest: await inTurns(4, async (index) => member(`honest-${index}@example.test`)),
  };
}
