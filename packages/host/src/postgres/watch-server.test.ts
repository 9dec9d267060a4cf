import { EventEmitter } from "node:events";
import type pg from "pg";
import { describe, expect, it, vi } from "vitest";
import { watchServer } from "./watch-server.ts";

/** A connection of which only the end is told. */
function connection(): pg.Client {
  return Object.assign(new EventEmitter(), {
    end: async () => await Promise.resolve(),
  }) as unknown as pg.Client;
}

describe("the watch over the database server", () => {
  it("says that the server is away until it answers again, as often as that happens", async () => {
    const first = connection();
    const second = connection();
    const answers = [new Error("starting up"), second, connection()];
    const watch = watchServer(first, {
      isRunning: async () => await Promise.resolve(true),
      reconnect: async () => {
        const next = answers.shift() ?? connection();
        if (next instanceof Error) throw next;
        return await Promise.resolve(next);
      },
    });
    expect(watch.outage()).toBeUndefined();
    for (const lost of [first, second]) {
      lost.emit("error", new Error("Connection terminated unexpectedly"));
      lost.emit("end");
      expect(watch.outage()).toMatch(/does not answer yet/);
      await vi.waitFor(() => expect(watch.outage()).toBeUndefined());
    }
    await watch.stop();
  });

  it("gives up at once on a server of this host whose process has ended", async () => {
    const first = connection();
    const watch = watchServer(first, {
      isRunning: async () => await Promise.resolve(false),
      reconnect: async () => await Promise.reject(new Error("ECONNREFUSED")),
    });
    first.emit("end");
    expect(await watch.lost).toBe("PostgreSQL has ended");
    expect(watch.outage()).toBe("PostgreSQL has ended");
  });

  it("gives up on one that does not recover, and never on that of DATABASE_URL", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      for (const isOwn of [true, false]) {
        const first = connection();
        let isBack = false;
        const watch = watchServer(first, {
          ...(isOwn && { isRunning: async () => await Promise.resolve(true) }),
          reconnect: async () => {
            vi.advanceTimersByTime(10_000);
            if (isBack) return await Promise.resolve(connection());
            throw new Error("starting up");
          },
        });
        const lost = vi.fn<(reason: string) => void>();
        void watch.lost.then(lost);
        first.emit("end");
        if (isOwn) {
          expect(await watch.lost).toMatch(/does not recover: Error: starting up/);
        } else {
          const away = performance.now();
          await vi.waitFor(() => expect(performance.now() - away).toBeGreaterThan(30_000), 5000);
          isBack = true;
          await vi.waitFor(() => expect(watch.outage()).toBeUndefined());
          expect(lost).not.toHaveBeenCalled();
        }
        await watch.stop();
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it("does not look for a server that is stopped on purpose", async () => {
    const first = connection();
    const reconnect = vi.fn<() => Promise<pg.Client>>();
    const watch = watchServer(first, { reconnect });
    await watch.stop();
    first.emit("end");
    expect(watch.outage()).toBeUndefined();
    expect(reconnect).not.toHaveBeenCalled();
  });
});
