import { requireEnv, type Deps } from "./deps.ts";

/**
 * A project's named keys, as hosted Supabase passes them to functions: `{"default":"sb_secret_…"}`.
 * @throws {Error} when the variable is not a JSON object; the message does not contain its value.
 */
function namedKeys({ env }: Deps, name: string): Record<string, string> {
  const text = env[name];
  if (text === undefined || text === "") return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error(`${name} is not valid JSON`);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new Error(`${name} is not a JSON object`);
  }
  const filled = Object.entries(parsed).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  );
  return Object.fromEntries(filled);
}

/**
 * The key of the visitor role: the project's default publishable key, else the legacy anon key.
 * @throws {Error} when there is neither.
 */
export function publishableKey(deps: Deps): string {
  return (
    namedKeys(deps, "SUPABASE_PUBLISHABLE_KEYS")["default"] ?? requireEnv(deps, "SUPABASE_ANON_KEY")
  );
}

/**
 * The key of the server role: the project's default secret key, else the legacy service-role key.
 * @throws {Error} when there is neither.
 */
export function secretKey(deps: Deps): string {
  return (
    namedKeys(deps, "SUPABASE_SECRET_KEYS")["default"] ??
    requireEnv(deps, "SUPABASE_SERVICE_ROLE_KEY")
  );
}

/** Every valid key of the server role. Schedules may use an old key while it is being rotated. */
export function serviceRoleKeys(deps: Deps): string[] {
  const legacy = deps.env["SUPABASE_SERVICE_ROLE_KEY"] ?? "";
  return [...Object.values(namedKeys(deps, "SUPABASE_SECRET_KEYS")), legacy].filter(
    (key) => key !== "",
  );
}
