import { describe, expect, it } from "vitest";
import { publishableKey, secretKey, serviceRoleKeys } from "./api-keys.ts";

const legacy = { SUPABASE_ANON_KEY: "legacy-anon", SUPABASE_SERVICE_ROLE_KEY: "legacy-service" };
const named = {
  SUPABASE_PUBLISHABLE_KEYS: '{"default":"sb_publishable_a","mobile":"sb_publishable_b"}',
  SUPABASE_SECRET_KEYS: '{"default":"sb_secret_a","jobs":"sb_secret_b"}',
};

describe("the keys of a project", () => {
  it("are the default ones where the project has named keys", () => {
    const deps = { env: { ...legacy, ...named } };
    expect(publishableKey(deps)).toBe("sb_publishable_a");
    expect(secretKey(deps)).toBe("sb_secret_a");
    expect(serviceRoleKeys(deps)).toEqual(["sb_secret_a", "sb_secret_b", "legacy-service"]);
  });

  it.each([{}, { SUPABASE_PUBLISHABLE_KEYS: "", SUPABASE_SECRET_KEYS: "{}" }])(
    "are the legacy ones where it has not (%o)",
    (empty) => {
      const deps = { env: { ...legacy, ...empty } };
      expect(publishableKey(deps)).toBe("legacy-anon");
      expect(secretKey(deps)).toBe("legacy-service");
      expect(serviceRoleKeys(deps)).toEqual(["legacy-service"]);
    },
  );

  it("are named in errors, without their values", () => {
    expect(() => publishableKey({ env: {} })).toThrow("SUPABASE_ANON_KEY is not set");
    expect(() => secretKey({ env: {} })).toThrow("SUPABASE_SERVICE_ROLE_KEY is not set");
    const env = { SUPABASE_SECRET_KEYS: "sb_secret_a" };
    expect(() => secretKey({ env })).toThrow("SUPABASE_SECRET_KEYS is not valid JSON");
    expect(() => secretKey({ env: { SUPABASE_SECRET_KEYS: "[]" } })).toThrow(
      "SUPABASE_SECRET_KEYS is not a JSON object",
    );
    expect(serviceRoleKeys({ env: {} })).toEqual([]);
    expect(serviceRoleKeys({ env: { SUPABASE_SECRET_KEYS: '{"default":""}' } })).toEqual([]);
  });
});
