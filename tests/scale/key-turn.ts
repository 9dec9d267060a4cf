import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@supabase/supabase-js";
import { newEmail, testPassword } from "../support/test-account.ts";
import type { Cluster } from "./cluster.ts";
import type { KeyFiles } from "./key-files.ts";
import { tokenBeforeRevoking, tryRevoked, type RevokedTokens } from "./revoked-tokens.ts";
import { startMember, type MemberFigures, type SignedInMember } from "./signed-in-members.ts";

const memberCount = 6;
/** How long a restarted host serves beside those that still have the keys of before. */
const besideMs = 1000;
const writeEveryMs = 250;
/** The client waits up to ten seconds before it joins again, and a join may take as long. */
const backLimitMs = 30_000;
const maxFailedShare = 0.01;

/** What was done to the hosts, and what members noticed of it. */
export interface KeyTurnFigures extends MemberFigures, RevokedTokens {
  restarts: number;
  /** Changes after which a host signed with something else than it should. */
  wrongSigners: string[];
  /** Times that a member's socket was closed and came back. */
  rejoins: number;
  /** Sockets that told of no row that was written after a change. */
  silentSockets: number;
  /** The longest time after a change until every socket told of one. */
  backMs: number;
}

/** What is not as it should be; empty when all holds. A run in which nothing happened shows nothing. */
export function keyTurnProblems(figures: KeyTurnFigures): string[] {
  const { requests, failed, refused, lostSessions, silentSockets, revokedAccepted } = figures;
  const refusals = Object.entries(refused).map(([what, count]) => `${count} × ${what}`);
  return [
    ...(requests === 0 ? ["no request was made"] : []),
    ...(figures.restarts === 0 ? ["no host was restarted"] : []),
    ...(figures.refreshed === 0 ? ["no token was refreshed"] : []),
    ...(figures.rejoins === 0 ? ["no socket was closed"] : []),
    ...(figures.revokedTried === 0 ? ["no revoked token was tried"] : []),
    ...(refusals.length > 0 ? [`members were refused: ${refusals.join(", ")}`] : []),
    ...(failed > requests * maxFailedShare ? [`${failed} of ${requests} requests failed`] : []),
    ...(lostSessions > 0 ? [`${lostSessions} sessions were lost`] : []),
    ...(silentSockets > 0 ? [`${silentSockets} sockets did not come back`] : []),
    ...(revokedAccepted > 0 ? [`${revokedAccepted} revoked tokens were accepted`] : []),
    ...figures.unusableTokens,
    ...figures.wrongSigners,
  ];
}

/** Signs an account in at one host. @returns its token */
function newAccount({ hosts }: Cluster, key: string) {
  const account = { email: newEmail(), password: testPassword };
  const auth = { persistSession: false, autoRefreshToken: false };
  const clients = hosts.map((url) => createClient(url, key, { auth }));
  return {
    signUp: async () => {
      const { error } = (await clients[0]?.auth.signUp(account)) ?? {};
      if (error) throw error;
    },
    tokenAt: async (at: number): Promise<string> => {
      const answer = await clients[at]?.auth.signInWithPassword(account);
      if (answer?.error !== null) throw answer?.error ?? new Error(`There is no host ${at}.`);
      return answer.data.session.access_token;
    },
    /** What each host answers to a token. */
    statuses: async (token: string): Promise<number[]> => {
      const headers = { apikey: key, authorization: `Bearer ${token}` };
      const statusOf = async (host: string) =>
        (await fetch(`${host}/rest/v1/diaries?limit=1`, { headers })).status;
      return await Promise.all(hosts.map(statusOf));
    },
  };
}

/** Writes rows until every member's socket has told of one of them. @returns the next free id */
async function untilAllHear(
  cluster: Cluster,
  secretKey: string,
  firstId: number,
  members: readonly SignedInMember[],
  figures: KeyTurnFigures,
): Promise<number> {
  const writer = createClient(cluster.url, secretKey, { auth: { persistSession: false } });
  const silent = () => members.filter((member) => member.newest() < firstId).length;
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  let id = firstId;
  for (; silent() > 0 && elapsed() < backLimitMs; id++) {
    await writer.from("posters").insert({ id, title: "scale" });
    await sleep(writeEveryMs);
  }
  figures.silentSockets += silent();
  figures.backMs = Math.max(figures.backMs, elapsed());
  return id;
}

/**
 * Replaces the JWT secret and then the signing keys, host by host, while members work.
 * Half of the members keep their token until what signed it is revoked, the others get new ones all the time.
 */
export async function turnKeys(cluster: Cluster, keys: KeyFiles): Promise<KeyTurnFigures> {
  const figures: KeyTurnFigures = {
    requests: 0,
    refused: {},
    failed: 0,
    refreshed: 0,
    lostSessions: 0,
    restarts: 0,
    wrongSigners: [],
    revokedTried: 0,
    revokedAccepted: 0,
    unusableTokens: [],
    rejoins: 0,
    silentSockets: 0,
    backMs: 0,
  };
  const { publishableKey, secretKey, steps, signerOf } = keys;
  const members = await Promise.all(
    Array.from(
      { length: memberCount },
      async (_, at) => await startMember(cluster.url, publishableKey, figures, at % 2 === 0),
    ),
  );
  const account = newAccount(cluster, publishableKey);
  await account.signUp();
  const tokens = new Map<string, string>();
  const over = new AbortController();
  const working = Promise.all(
    members.map(async ({ work }) => await work(() => over.signal.aborted)),
  );
  const lookAt = async (name: string, signer: string) => {
    for (const at of cluster.hosts.keys()) {
      const token = await account.tokenAt(at);
      const found = await signerOf(token);
      if (found !== signer) figures.wrongSigners.push(`${name}: host ${at} signs by ${found}`);
      tokens.set(found, token);
    }
  };
  try {
    let nextId = await untilAllHear(cluster, secretKey, 3_000_000, members, figures);
    figures.backMs = 0;
    for (const { name, change, signer, revokes } of steps) {
      let revoked: string | undefined;
      if (revokes !== undefined) {
        const token = tokens.get(revokes);
        revoked = await tokenBeforeRevoking(figures, revokes, token, account.statuses);
        // After the hour for which a token is good.
        await Promise.all(members.map(async ({ refresh }) => await refresh()));
      }
      await change();
      for (const at of cluster.hosts.keys()) {
        await cluster.restart(at);
        figures.restarts++;
        await sleep(besideMs);
      }
      nextId = await untilAllHear(cluster, secretKey, nextId, members, figures);
      await lookAt(name, signer);
      if (revoked !== undefined) await tryRevoked(figures, revoked, account.statuses);
    }
  } finally {
    over.abort();
    await working;
    for (const { close } of members) await close();
  }
  for (const { joins, hasSession } of members) {
    figures.rejoins += joins() - 1;
    if (!(await hasSession())) figures.lostSessions++;
  }
  return figures;
}
