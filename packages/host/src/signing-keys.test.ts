import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseSigningKeys, signingKeysPath } from "./signing-keys.ts";

type Jwk = Record<string, unknown>;

function ec(kid: string, operations: string[]): Jwk {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { kid, alg: "ES256", key_ops: operations, ...privateKey.export({ format: "jwk" }) };
}

function rsa(kid: string, operations: string[], modulusLength = 2048): Jwk {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength });
  return { kid, alg: "RS256", key_ops: operations, ...privateKey.export({ format: "jwk" }) };
}

const without = (key: Jwk, ...names: string[]): Jwk =>
  Object.fromEntries(Object.entries(key).filter(([name]) => !names.includes(name)));
const both = ["sign", "verify"];
const parse = (keys: unknown) => parseSigningKeys(JSON.stringify(keys), "keys.json");

describe("a file of signing keys", () => {
  const inUse = ec("a", both);

  it("tells the states of its keys, and which one signs", () => {
    const { keys, signer } = parse([
      without(ec("old", ["verify"]), "d"),
      inUse,
      rsa("next", ["verify"]),
    ]);
    const states = [...keys.values()].map(({ kid, alg, state }) => [kid, alg, state]);
    expect(states).toEqual([
      ["old", "ES256", "previous"],
      ["a", "ES256", "in_use"],
      ["next", "RS256", "standby"],
    ]);
    expect(signer).toMatchObject({ kid: "a", alg: "ES256" });
  });

  it("may have no key that signs yet", () => {
    const { keys, signer } = parse([ec("a", ["verify"])]);
    expect([keys.get("a")?.state, signer]).toEqual(["standby", undefined]);
  });

  it("publishes nothing private", () => {
    const { keys } = parse([inUse, rsa("b", ["verify"])]);
    for (const { publicJwk } of keys.values()) {
      expect(Object.keys(publicJwk)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(d|p|q|dp|dq|qi)$/)]),
      );
    }
  });

  it.each<[string, unknown, RegExp]>([
    ["an object", inUse, /must be a JSON array/],
    ["an empty list", [], /must be a JSON array/],
    [
      "a symmetric key",
      [{ kty: "oct", kid: "s", alg: "HS256", key_ops: both, k: "c2VjcmV0" }],
      /ES256 or RS256/,
    ],
    ["a key without kid", [without(inUse, "kid")], /kid/],
    ["a key without alg", [without(inUse, "alg")], /must be a JSON array/],
    [
      "a key of another kind than its alg",
      [{ ...rsa("r", both), alg: "ES256" }],
      /must be a JSON array/,
    ],
    ["a key of another curve", [{ ...inUse, crv: "P-384" }], /crv/],
    ["a kid twice", [inUse, ec("a", ["verify"])], /name a twice/],
    ["two keys that sign", [inUse, ec("b", both)], /one key alone, and 2 have it/],
    ["a signing key without its private half", [without(inUse, "d")], /no private half/],
    ["the private half of another key", [{ ...inUse, d: ec("x", both)["d"] }], /not usable/],
    ["a point that is not on the curve", [{ ...inUse, x: inUse["y"] }], /not usable/],
    ["an RSA key that is too short", [rsa("r", both, 1024)], /fewer than 2048 bits/],
  ])("is refused with %s, in a sentence without the key", (_, keys, sentence) => {
    let message = "";
    try {
      parse(keys);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toMatch(sentence);
    expect(message).toContain("The signing keys in keys.json ");
    expect(message).not.toContain(String(inUse["d"]));
  });

  it("is refused when it is no JSON", () => {
    expect(() => parseSigningKeys("[", "keys.json")).toThrow("are not valid JSON");
  });
});

it("lies where the CLI looks for it: below the folder of config.toml, or where the variable says", () => {
  const project = (path?: string) => ({
    folder: "/site/supabase",
    settings: path === undefined ? {} : { auth: { signing_keys_path: path } },
  });
  expect(signingKeysPath(project(), {})).toBeUndefined();
  expect(signingKeysPath(project("./keys.json"), {})).toBe(join("/site/supabase", "keys.json"));
  expect(signingKeysPath(project("env(KEYS)"), {})).toBeUndefined();
  expect(signingKeysPath(project("env(KEYS)"), { KEYS: "/k.json" })).toBe("/k.json");
  const env = { SUPABASE_AUTH_SIGNING_KEYS_PATH: "/other.json" };
  expect(signingKeysPath(project("./keys.json"), env)).toBe("/other.json");
});
