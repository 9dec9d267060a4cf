import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { derivedPushKeys, publicKeyOf } from "./push-keys.ts";

const keysOf = (secret: string) => ({
  derive: (purpose: string, text: string) =>
    createHmac("sha256", secret).update(`${purpose}:${text}`).digest("base64url"),
});

describe("the keys of push messages", () => {
  it("follow from the install's secret", () => {
    const first = derivedPushKeys(keysOf("one"));
    expect(derivedPushKeys(keysOf("one"))).toEqual(first);
    expect(derivedPushKeys(keysOf("two")).publicKey).not.toBe(first.publicKey);
    expect(first.publicKey).toMatch(/^[A-Za-z0-9_-]{87}$/);
    expect(first.privateKey).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(publicKeyOf(first.privateKey)).toBe(first.publicKey);
  });

  it("leave out numbers that are no key of the curve", () => {
    const noKey = Buffer.alloc(32, 0xff).toString("base64url");
    const { derive } = keysOf("one");
    const keys = {
      derive: (purpose: string, text: string) => (text === "0" ? noKey : derive(purpose, text)),
    };
    expect(derivedPushKeys(keys).privateKey).toBe(derive("vapid", "1"));
    expect(() => derivedPushKeys({ derive: () => noKey })).toThrow();
  });
});
