import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { PartialMessage } from "./partial-message.ts";

test("a delay stops reading once, and reading goes on when it is over", () => {
  vi.useFakeTimers();
  try {
    const socket = Object.assign(new EventEmitter(), { pause: vi.fn(), resume: vi.fn() });
    const wire = new PassThrough();
    const message = new PartialMessage(wire, socket as unknown as WebSocket, Date.now, () => {});
    message.delayNext(500);
    message.delayNext(500);
    expect(socket.pause).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(499);
    expect(socket.resume).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(socket.resume).toHaveBeenCalledOnce();
    message.delayNext(500);
    expect(socket.pause).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});
