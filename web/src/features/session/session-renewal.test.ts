import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sessionOf } from "@/app/testing/test-app.tsx";
import { createBackendClient, type BackendClient } from "@/lib/backend-client.ts";

// These waits are the official library's; the test holds the settings we give it to them.

const started: BackendClient[] = [];

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 9) }));
afterEach(async () => {
  for (const client of started.splice(0)) await client.auth.dispose();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Our client with a session that lives so long, over a server that answers with these statuses. */
async function open(lifetimeS: number, statuses: readonly number[] = []) {
  const times: number[] = [];
  const begin = Date.now();
  const now = () => Math.floor(Date.now() / 1000);
  vi.stubGlobal("fetch", (address: string) => {
    if (!address.includes("grant_type=refresh_token")) return Promise.reject(new Error(address));
    times.push(Date.now() - begin);
    const status = statuses[times.length - 1] ?? 200;
    const renewed = { ...sessionOf(), expires_at: now() + 3600 };
    return Promise.resolve(Response.json(status === 200 ? renewed : {}, { status }));
  });
  localStorage.setItem(
    "sb-backend-auth-token",
    JSON.stringify({ ...sessionOf(), expires_in: lifetimeS, expires_at: now() + lifetimeS }),
  );
  const client = createBackendClient({
    supabaseUrl: "http://backend.test",
    supabaseAnonKey: "sb_publishable_test",
  });
  started.push(client);
  await client.auth.startAutoRefresh();
  await vi.advanceTimersByTimeAsync(0);
  return times;
}

describe("a session", () => {
  it("looks every 30 s and renews at 90 s or less", async () => {
    const times = await open(210);
    await vi.advanceTimersByTimeAsync(119_000);
    expect(times).toEqual([]);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(times).toEqual([120_000]);
  });

  it("tries again after a 502, 503 and 504, waiting 200 ms and twice as long each time", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const times = await open(60, [502, 503, 504]);
    await vi.advanceTimersByTimeAsync(5000);
    const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(waits).toEqual([200, 400, 800]);
  });
});
