/** Dependencies of a handler, the same under Deno and in the host. */
export interface Deps {
  /** Variables of the deployment, such as STRIPE_SECRET_KEY. */
  env: Readonly<Record<string, string>>;
}

/**
 * A required variable.
 * @throws {Error} when it is missing; the caller gets internal_error.
 */
export function requireEnv({ env }: Deps, name: string): string {
  const value = env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set`);
  return value;
}
