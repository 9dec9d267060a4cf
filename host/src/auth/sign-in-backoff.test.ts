import { describe, expect, test } from "vitest";
import { AuthError } from "./auth-error.ts";
import { lockSeconds, SignInBackoff } from "./sign-in-backoff.ts";

describe("the lock after wrong passwords", () => {
  test("grows and stops growing", () => {
    const failures = [0, 9, 10, 11, 12, 14, 15, 1000];
    expect(failures.map((count) => lockSeconds(count, 10))).toEqual([
      0, 0, 30, 60, 120, 480, 900, 900,
    ]);
  });

  test("hears ten attempts of a sender, then none, and forgets after a right password", async () => {
    const backoff = new SignInBackoff();
    const attempt = async (sender: string) =>
      await backoff.begin("a@example.test", sender).then(
        () => true,
        (error: unknown) => !(error instanceof AuthError && error.status === 429),
      );
    for (let count = 0; count < 10; count += 1) expect(await attempt("one")).toBe(true);
    expect(await attempt("one")).toBe(false);
    expect(await attempt("two")).toBe(true);
    await backoff.succeeded("a@example.test", "one");
    expect(await attempt("one")).toBe(true);
  });

  test("closes an account to everybody after a hundred attempts from anywhere", async () => {
    const backoff = new SignInBackoff();
    for (let count = 0; count < 100; count += 1) {
      await backoff.begin("a@example.test", `sender ${count}`);
    }
    await expect(backoff.begin("a@example.test", "somebody else")).rejects.toThrow(AuthError);
    await expect(backoff.begin("b@example.test", "somebody else")).resolves.toBeUndefined();
  });
});
