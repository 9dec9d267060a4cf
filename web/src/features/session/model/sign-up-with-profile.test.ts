import { describe, expect, it, vi } from "vitest";
import { createManualClock } from "@/lib/testing/manual-clock.ts";
import { signUpWithProfile, type SignUpOutcome, type SignUpSteps } from "./sign-up-with-profile.ts";

function start(differs: Partial<SignUpSteps> = {}) {
  const clock = createManualClock();
  const steps: SignUpSteps = {
    requestSignUp: vi.fn(() => Promise.resolve({ error: null, signedIn: true })),
    getSessionUserId: vi.fn(() => Promise.resolve<string | null>("ada")),
    insertProfile: vi.fn(() => Promise.resolve(null)),
    ...differs,
  };
  const outcome: { now?: SignUpOutcome } = {};
  void signUpWithProfile(steps, clock, "ada@example.com", "secret").then((ended) => {
    outcome.now = ended;
  });
  return { clock, steps, outcome };
}

describe("signing up", () => {
  it("waits a second after the profile before it says so", async () => {
    const { clock, outcome, steps } = start();
    await clock.advance(999);
    expect(steps.insertProfile).toHaveBeenCalledWith("ada");
    expect(outcome.now).toBeUndefined();
    await clock.advance(1);
    expect(outcome.now).toEqual({ kind: "created" });
  });

  it("makes no profile for an account without a session", async () => {
    const { clock, outcome, steps } = start({ getSessionUserId: () => Promise.resolve(null) });
    await clock.advance(0);
    expect(outcome.now).toMatchObject({ kind: "failed" });
    expect(steps.insertProfile).not.toHaveBeenCalled();
  });
});
