/** Multiplies every time limit of the tests, for machines that are slower than a two-core CI runner. */
const factorVariable = "TEST_TIMEOUT_FACTOR";
/** Leaves room for two cores that run several suites at once; a test that hangs still ends in two minutes. */
const defaultFactor = 2;

/** @throws {Error} when the variable is set to anything but a positive number. */
export function readTimeoutFactor(env: Readonly<Record<string, string | undefined>>): number {
  const text = env[factorVariable];
  if (text === undefined || text === "") return defaultFactor;
  const factor = Number(text);
  if (Number.isFinite(factor) && factor > 0) return factor;
  throw new Error(`${factorVariable} must be a positive number; it is "${text}".`);
}

const factor = readTimeoutFactor(process.env);

/** The time limit for so many seconds on a quiet machine, in milliseconds. */
export function timeLimitMs(seconds: number): number {
  return Math.round(seconds * 1000 * factor);
}

/** Limit of a test that states none of its own. */
export const testTimeoutMs = timeLimitMs(60);
/** Limit of a hook that states none of its own: many start a database or the whole product. */
export const hookTimeoutMs = timeLimitMs(120);
