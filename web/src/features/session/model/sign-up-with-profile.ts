import { waitFor, type Clock } from "@/lib/clock.ts";
import { toAppError, type AppError } from "@/lib/errors.ts";
import { passwordError, type PasswordError } from "./password-error.ts";

/** What the backend's message contains when the address is taken. */
const alreadyRegistered = /User already registered/;
/** Pause between creating the profile and saying so, in which the triggers' work settles. */
const profileSettleMs = 1000;

export interface SignUpSteps {
  readonly requestSignUp: (
    email: string,
    password: string,
  ) => Promise<{ readonly error: unknown; readonly signedIn: boolean }>;
  readonly getSessionUserId: () => Promise<string | null>;
  readonly insertProfile: (userId: string) => Promise<AppError | null>;
}

export type SignUpOutcome =
  | { readonly kind: "created" }
  | { readonly kind: "confirm-email" }
  | { readonly kind: "already-registered" }
  | ({ readonly kind: "failed" } & PasswordError);

/** Creates the account and its profile, in that order, and says how it ended. Never throws. */
export async function signUpWithProfile(
  steps: SignUpSteps,
  clock: Clock,
  email: string,
  password: string,
): Promise<SignUpOutcome> {
  try {
    const { error, signedIn } = await steps.requestSignUp(email, password);
    if (error) return refused(error);
    if (!signedIn) return { kind: "confirm-email" };
    const userId = await steps.getSessionUserId();
    if (userId === null) return failed("sessionMissing");
    if (await steps.insertProfile(userId)) {
      return failed("profileFailed");
    }
    await waitFor(clock, profileSettleMs);
    return { kind: "created" };
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): SignUpOutcome {
  if (alreadyRegistered.test(toAppError(error).message)) {
    return { kind: "already-registered" };
  }
  return { kind: "failed", ...passwordError(error, "signUpFailed") };
}

function failed(code: "sessionMissing" | "profileFailed"): SignUpOutcome {
  return { kind: "failed", field: null, codes: [code] };
}
