import { checkFailures, worse, type HealthCheck } from "../health/health-check.ts";

/** So many failures in a row are no accident any more. */
const failingFrom = 3;

/** Remembers how often each scheduled function has failed in a row on this host, in whole or in part: an answer counts parts as `failed`. */
export class JobHealth {
  readonly #failures = new Map<string, number>();

  record(
    functionName: string,
    succeeded: boolean,
    { failed = 0 }: Readonly<Record<string, number>>,
  ): void {
    const isFine = succeeded && failed === 0;
    this.#failures.set(functionName, isFine ? 0 : (this.#failures.get(functionName) ?? 0) + 1);
  }

  check(): HealthCheck {
    let all: HealthCheck = { state: "ok" };
    for (const [name, failures] of this.#failures)
      all = worse(all, checkFailures(failures, name, failingFrom));
    return all;
  }
}
