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

/**
 * A variable that is a whole number.
 * @returns undefined when it is not set.
 * @throws {Error} when it is another text, or not from 1 to `most`.
 */
export function readCount({ env }: Deps, name: string, most: number): number | undefined {
  const value = env[name] ?? "";
  if (value === "") return undefined;
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new Error(`${name} is not a whole number from 1 to ${most}`);
  return count;
}
