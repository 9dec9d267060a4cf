/** What a handler is given; the same under Deno and in the host. */
export interface Deps {
  /** Variables of the deployment, such as STRIPE_SECRET_KEY. */
  env: Readonly<Record<string, string>>;
}

/**
 * A variable the function cannot do without.
 * @throws {Error} when it is missing, which the caller sees as an internal error.
 */
export function setting({ env }: Deps, name: string): string {
  const value = env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set`);
  return value;
}
