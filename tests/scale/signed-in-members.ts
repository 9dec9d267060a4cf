import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type SupabaseClient,
} from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import { newEmail, testPassword } from "../support/test-account.ts";
import { joinLimitMs, within } from "./within.ts";

const restMs = 200;
const refreshEveryMs = 2000;

/** What members noticed of what was done to the hosts. */
export interface MemberFigures {
  requests: number;
  /** Answers between 400 and 499, by status and the beginning of the path: what a member is shown whose key or token is not accepted. */
  refused: Record<string, number>;
  /** Requests without an answer, and answers of 500 and above. */
  failed: number;
  refreshed: number;
  /** Members who were signed out, or have another session than before. */
  lostSessions: number;
}

/** A member with the official client, who works, listens and, where it `refreshes`, gets a new token every two seconds. */
export interface SignedInMember {
  client: SupabaseClient;
  refresh: () => Promise<void>;
  /** Times that the socket's channel was joined. */
  joins: () => number;
  /** The newest row of `posters` that the socket told of. */
  newest: () => number;
  work: (isOver: () => boolean) => Promise<void>;
  /** Whether the session of the beginning goes on. */
  hasSession: () => Promise<boolean>;
  close: () => Promise<void>;
}

function countingFetch(figures: MemberFigures): typeof fetch {
  return async (input, init) => {
    figures.requests++;
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const answer = await fetch(input, init).catch((error: unknown) => {
      figures.failed++;
      throw error;
    });
    if (answer.status >= 500) figures.failed++;
    else if (answer.status >= 400) {
      const name = `${answer.status} ${pathname.split("/").slice(1, 5).join("/")}`;
      figures.refused[name] = (figures.refused[name] ?? 0) + 1;
    }
    return answer;
  };
}

/** The session that an access token is of. */
const sessionOf = (token: string) => String(decodeJwt(token)["session_id"]);

/**
 * Signs a member up and opens their socket.
 * @param refreshes false for one who keeps the token for its hour, until `refresh`
 */
export async function startMember(
  url: string,
  key: string,
  figures: MemberFigures,
  refreshes: boolean,
): Promise<SignedInMember> {
  const client = createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: randomUUID() },
    db: { retry: false },
    global: { fetch: countingFetch(figures) },
  });
  const account = { email: newEmail(), password: testPassword };
  const { data, error } = await client.auth.signUp(account);
  if (error) throw error;
  const id = data.user?.id ?? "";
  const session = sessionOf(data.session?.access_token ?? "");
  let isSignedOut = false;
  client.auth.onAuthStateChange((event) => {
    if (event === "SIGNED_OUT") isSignedOut = true;
  });
  let [joins, newest] = [0, 0];
  const joined = Promise.withResolvers<undefined>();
  await client.realtime.setAuth();
  client
    .channel(randomUUID())
    .on("postgres_changes", { event: "INSERT", schema: "public", table: "posters" }, (change) => {
      newest = Math.max(newest, (change.new as { id: number }).id);
    })
    .subscribe((status) => {
      if (status !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) return;
      joins++;
      joined.resolve(undefined);
    });
  await within(joinLimitMs, "a member's socket joins", joined.promise);

  const refresh = async () => {
    const answer = await client.auth.refreshSession();
    if (answer.error === null) figures.refreshed++;
  };
  const ask = async () => {
    await client.from("diaries").insert({ entry: "a day" });
    const { data: own } = await client.from("diaries").select("owner").limit(3);
    // Answered as a visitor is.
    if (own?.length === 0) figures.refused["no rows"] = (figures.refused["no rows"] ?? 0) + 1;
    await client.auth.getUser();
    await client.auth.getClaims();
    await client.functions.invoke("whoami");
    const file = client.storage.from("documents");
    await file.upload(`${id}/${randomUUID()}.txt`, "a day", { contentType: "text/plain" });
  };
  return {
    client,
    refresh,
    joins: () => joins,
    newest: () => newest,
    work: async (isOver) => {
      let refreshedAt = performance.now();
      while (!isOver()) {
        await ask();
        if (refreshes && performance.now() - refreshedAt > refreshEveryMs) {
          await refresh();
          refreshedAt = performance.now();
        }
        await sleep(restMs);
      }
    },
    hasSession: async () => {
      const token = (await client.auth.getSession()).data.session?.access_token;
      return !isSignedOut && token !== undefined && sessionOf(token) === session;
    },
    close: async () => void (await client.realtime.disconnect()),
  };
}
