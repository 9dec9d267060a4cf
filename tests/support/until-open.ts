import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const tries = 200;
const pauseMs = 50;

/**
 * Waits until a server of this machine takes connections.
 * @throws {Error} naming the server when it has not within 10 s
 */
export async function untilOpen(port: number, server: string): Promise<void> {
  for (let n = 0; n < tries; n += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("connect", () => socket.destroy());
      socket.on("error", () => resolve(false));
    });
    if (isOpen) return;
    await sleep(pauseMs);
  }
  throw new Error(`${server} did not start within ${(tries * pauseMs) / 1000} s.`);
}
