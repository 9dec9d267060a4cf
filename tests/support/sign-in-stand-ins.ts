import { serve } from "@hono/node-server";
import type { SupabaseClient } from "@supabase/supabase-js";
import { Hono } from "hono";
import {
  createSignInStandIn,
  type StandInPerson,
  type SignInStandIn,
} from "../../tools/sign-in-stand-in/stand-in.ts";

export type StandInName = "google" | "apple";

export const standInClientId = "club.example.test";
const clientSecret = "the-secret-of-the-club";

/** Both stand-ins on a port of their own. */
export interface SignInStandIns {
  google: SignInStandIn;
  apple: SignInStandIn;
  /** Turns both on at a host. */
  env: Record<string, string>;
  stop: () => Promise<void>;
}

/** Starts stand-ins for Google and Apple. */
export async function startSignInStandIns(): Promise<SignInStandIns> {
  const root = new Hono();
  let app = new Hono();
  root.all("*", async (c) => await app.fetch(c.req.raw));
  const { server, port } = await new Promise<{
    server: ReturnType<typeof serve>;
    port: number;
  }>((resolve) => {
    const started = serve({ fetch: root.fetch, port: 0, hostname: "127.0.0.1" }, (info) =>
      resolve({ server: started, port: info.port }),
    );
  });
  const base = `http://127.0.0.1:${port}`;
  const open = async (provider: StandInName) =>
    await createSignInStandIn({
      provider,
      issuer: `${base}/${provider}`,
      clientId: standInClientId,
      clientSecret,
    });
  const [google, apple] = await Promise.all([open("google"), open("apple")]);
  app = new Hono().route("/google", google.app).route("/apple", apple.app);
  const variables = (provider: StandInName) => {
    const prefix = `SUPABASE_AUTH_EXTERNAL_${provider.toUpperCase()}`;
    return {
      [`${prefix}_ENABLED`]: "true",
      [`${prefix}_CLIENT_ID`]: standInClientId,
      [`${prefix}_SECRET`]: clientSecret,
      [`${prefix}_URL`]: `${base}/${provider}`,
    };
  };
  return {
    google,
    apple,
    env: { ...variables("google"), ...variables("apple") },
    stop: async () => await new Promise((resolve) => server.close(() => resolve())),
  };
}

function fieldsOf(html: string): Record<string, string> {
  const decode = (text: string) =>
    text
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  const found = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries([...found].map(([, name = "", value = ""]) => [name, decode(value)]));
}

/** The request that a browser makes to the host on its way back from the provider. */
export interface CallbackRequest {
  url: string;
  /** The form that Apple has the browser send; undefined for Google. */
  form?: URLSearchParams;
}

/** Opens the page of a stand-in and signs in there, or turns back. @returns what the browser asks the host then */
export async function answerAt(
  page: string,
  person: StandInPerson | "cancel",
): Promise<CallbackRequest> {
  const shown = await fetch(page);
  if (!shown.ok) throw new Error(`the stand-in answered ${shown.status}: ${await shown.text()}`);
  const form = new URLSearchParams(fieldsOf(await shown.text()));
  form.set("decision", person === "cancel" ? "cancel" : "continue");
  if (person !== "cancel") {
    form.set("email", person.email);
    form.set("name", person.name ?? "");
    if (person.isVerified !== false) form.set("verified", "on");
  }
  const target = new URL(page);
  const answer = await fetch(target.origin + target.pathname, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  const location = answer.headers.get("location");
  if (location !== null) return { url: location };
  const html = await answer.text();
  const action = /action="([^"]*)"/.exec(html)?.[1] ?? "";
  return { url: action, form: new URLSearchParams(fieldsOf(html)) };
}

/** Makes the browser's request to the host. @returns where that leads */
export async function goBack({ url, form }: CallbackRequest): Promise<URL> {
  const init = form === undefined ? {} : { method: "POST", body: form };
  const answer = await fetch(url, { ...init, redirect: "manual" });
  if (answer.status !== 303) throw new Error(`the callback answered ${answer.status}`);
  return new URL(answer.headers.get("location") ?? "");
}

/** The page of the provider that `signInWithOAuth` leads to. */
export async function beginSignIn(
  client: SupabaseClient,
  provider: StandInName,
  redirectTo?: string,
): Promise<string> {
  const { data, error } = await client.auth.signInWithOAuth({
    provider,
    options: { skipBrowserRedirect: true, ...(redirectTo !== undefined && { redirectTo }) },
  });
  if (error) throw error;
  const answer = await fetch(data.url, { redirect: "manual" });
  if (answer.status !== 302) throw new Error(`/authorize answered ${answer.status}`);
  return answer.headers.get("location") ?? "";
}

/** Signs in through a provider up to the code. @returns where the browser ends up, with a code or an error */
export async function throughProvider(
  client: SupabaseClient,
  provider: StandInName,
  person: StandInPerson | "cancel",
  redirectTo?: string,
): Promise<URL> {
  return await goBack(await answerAt(await beginSignIn(client, provider, redirectTo), person));
}
