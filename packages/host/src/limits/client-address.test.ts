import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { clientAddress, clientNetwork } from "./client-address.ts";

async function seenFrom(socket: string | undefined, forwarded: string | undefined, proxy?: string) {
  const app = new Hono().get("/", (c) => c.text(clientAddress(c, proxy)));
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const env = {
    incoming: { socket: { remoteAddress: socket, remotePort: 1, remoteFamily: "IPv4" } },
  };
  return await (await app.request("/", { headers }, env)).text();
}

describe("the address of a client", () => {
  test("is the socket's, whatever headers say", async () => {
    expect(await seenFrom("203.0.113.5", "1.2.3.4")).toBe("203.0.113.5");
    expect(await seenFrom("203.0.113.5", "1.2.3.4", "10.0.0.1")).toBe("203.0.113.5");
    expect(await seenFrom("::ffff:203.0.113.5", undefined)).toBe("203.0.113.5");
    expect(await seenFrom(undefined, undefined)).toBe("");
  });

  test("is what the configured proxy wrote last, not what its client claimed", async () => {
    expect(await seenFrom("10.0.0.1", "1.2.3.4, 203.0.113.9", "10.0.0.1")).toBe("203.0.113.9");
    expect(await seenFrom("::ffff:10.0.0.1", "203.0.113.9", "10.0.0.1")).toBe("203.0.113.9");
    expect(await seenFrom("10.0.0.1", undefined, "10.0.0.1")).toBe("10.0.0.1");
  });

  test.each([
    ["203.0.113.5", "203.0.113.5"],
    ["::ffff:203.0.113.5", "203.0.113.5"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:0db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["", ""],
  ])("%j counts as %j", (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});
