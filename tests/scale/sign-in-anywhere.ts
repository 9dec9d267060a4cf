import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { newEmail, testPassword } from "../support/test-account.ts";
import { answerAt, beginSignIn, goBack, type StandInName } from "../support/sign-in-stand-ins.ts";
import { SoftwarePasskey } from "../support/software-passkey.ts";
import type { Cluster } from "./cluster.ts";

const providers: readonly StandInName[] = ["google", "apple"];

/** Sign-ins of which every step was taken at another host. */
export interface SignInFigures {
  byProvider: number;
  byPasskey: number;
  /** Sign-ins with a passkey that was added before the last time. */
  byKnownPasskey: number;
  problems: string[];
}

/** What is not as it should be; empty when all holds. A run without sign-ins shows nothing. */
export function signInProblems(figures: SignInFigures): string[] {
  return [
    ...(figures.byProvider === 0 ? ["nobody signed in by a provider"] : []),
    ...(figures.byPasskey === 0 ? ["nobody signed in with a passkey"] : []),
    ...(figures.byKnownPasskey === 0 ? ["no passkey was used later"] : []),
    ...figures.problems,
  ];
}

/** One browser, whose requests each go to the host that is asked for. */
function openBrowser({ hosts }: Cluster, key: string): (at: number) => SupabaseClient {
  const kept = new Map<string, string>();
  const storageKey = randomUUID();
  return (at) =>
    createClient(hosts[at % hosts.length] ?? "", key, {
      auth: {
        autoRefreshToken: false,
        detectSessionInUrl: false,
        flowType: "pkce",
        experimental: { passkey: true },
        storageKey,
        storage: {
          getItem: (name) => kept.get(name) ?? null,
          setItem: (name, value) => void kept.set(name, value),
          removeItem: (name) => void kept.delete(name),
        },
      },
    });
}

/** Begins at one host, comes back to the next, and redeems the code at the third. @returns the account's id */
async function signInBy(
  provider: StandInName,
  email: string,
  cluster: Cluster,
  key: string,
  at: number,
): Promise<string> {
  const browser = openBrowser(cluster, key);
  const page = await beginSignIn(browser(at), provider);
  const back = await answerAt(page, { email });
  // The provider leads to the address of the site, where the balancer chooses.
  const { pathname, search } = new URL(back.url);
  const url = `${cluster.hosts[(at + 1) % cluster.hosts.length]}${pathname}${search}`;
  const target = await goBack({ ...back, url });
  const code = target.searchParams.get("code") ?? "";
  const { data, error } = await browser(at + 2).auth.exchangeCodeForSession(code);
  if (error) throw error;
  return data.user.id;
}

/** Asks one host for the challenge, and answers the next. @returns the account's id, as the third has it */
async function signInWith(
  passkey: SoftwarePasskey,
  cluster: Cluster,
  key: string,
  at: number,
): Promise<string> {
  const browser = openBrowser(cluster, key);
  const started = await browser(at).auth.passkey.startAuthentication();
  if (started.error) throw started.error;
  const { error } = await browser(at + 1).auth.passkey.verifyAuthentication({
    challengeId: started.data.challenge_id,
    credential: passkey.get(started.data.options),
  });
  if (error) throw error;
  const answer = await browser(at + 2).auth.getUser();
  if (answer.error) throw answer.error;
  return answer.data.user.id;
}

/** Adds a passkey to a new account, asked for at one host and handed to the next. @returns the account's id */
async function addPasskey(
  passkey: SoftwarePasskey,
  cluster: Cluster,
  key: string,
  at: number,
): Promise<string> {
  const browser = openBrowser(cluster, key);
  const account = { email: newEmail(), password: testPassword };
  const { data, error } = await browser(at).auth.signUp(account);
  if (error) throw error;
  const started = await browser(at).auth.passkey.startRegistration();
  if (started.error) throw started.error;
  const added = await browser(at + 1).auth.passkey.verifyRegistration({
    challengeId: started.data.challenge_id,
    credential: passkey.create(started.data.options),
  });
  if (added.error) throw added.error;
  return data.user?.id ?? "";
}

/** Members of a cluster who sign in by providers and passkeys. */
export function signInAnywhere(cluster: Cluster, key: string, siteUrl: string) {
  const figures: SignInFigures = { byProvider: 0, byPasskey: 0, byKnownPasskey: 0, problems: [] };
  const known: { passkey: SoftwarePasskey; id: string }[] = [];
  const people = new Map<string, string>();
  const take = async (what: string, expected: string | undefined, signIn: Promise<string>) => {
    const id = await signIn.catch((error: unknown) => {
      figures.problems.push(`${what}: ${String(error)}`);
    });
    if (id === undefined) return undefined;
    if (expected !== undefined && id !== expected)
      figures.problems.push(`${what}: another account than before`);
    return id;
  };
  return {
    figures,
    /** Everyone signs in again, and someone new at each host. */
    round: async () => {
      for (const { passkey, id } of known) {
        const isIn = await take("a passkey of before", id, signInWith(passkey, cluster, key, 0));
        if (isIn !== undefined) figures.byKnownPasskey++;
      }
      for (const at of cluster.hosts.keys()) {
        for (const provider of providers) {
          const name = `${provider} at host ${at}`;
          const email = `${name.replaceAll(" ", "-")}@example.test`;
          const signIn = signInBy(provider, email, cluster, key, at);
          const id = await take(name, people.get(name), signIn);
          if (id === undefined) continue;
          people.set(name, id);
          figures.byProvider++;
        }
        const passkey = new SoftwarePasskey(siteUrl, new URL(siteUrl).hostname);
        const what = `a passkey added at host ${at}`;
        const id = await take(what, undefined, addPasskey(passkey, cluster, key, at));
        if (id === undefined) continue;
        known.push({ passkey, id });
        if ((await take(what, id, signInWith(passkey, cluster, key, at + 1))) !== undefined)
          figures.byPasskey++;
      }
    },
  };
}
