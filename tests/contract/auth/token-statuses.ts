import type { RunningHost } from "../../support/running.ts";

/** Statuses of auth, REST, storage, functions and realtime for a token. */
async function statusesFor(
  host: Pick<RunningHost, "url" | "anonKey">,
  token: string,
): Promise<number[]> {
  const headers = {
    apikey: host.anonKey,
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
  };
  const answers = await Promise.all([
    fetch(`${host.url}/auth/v1/user`, { headers }),
    fetch(`${host.url}/rest/v1/`, { headers }),
    fetch(`${host.url}/storage/v1/bucket`, { headers }),
    fetch(`${host.url}/functions/v1/whoami`, { method: "POST", headers, body: "{}" }),
    fetch(`${host.url}/realtime/v1/api/broadcast`, {
      method: "POST",
      headers,
      body: JSON.stringify({ messages: [{ topic: "x", event: "x", payload: {} }] }),
    }),
  ]);
  return answers.map(({ status }) => status);
}

export const isRejected = (status: number): boolean => [400, 401, 403].includes(status);

export const everyService = ["auth", "rest", "storage", "functions", "realtime"];

/** The services that reject a token. */
export async function rejectionsOf(
  host: Pick<RunningHost, "url" | "anonKey">,
  token: string,
): Promise<string[]> {
  const statuses = await statusesFor(host, token);
  return everyService.filter((_, at) => isRejected(statuses[at] ?? 0));
}
