import type { Role } from "@/domain/roles.ts";

/** A fact that may still be on its way, or that could not be found out. */
export type Fact<T> = T | "loading" | "failed";

/** Who is looking, as far as access is concerned. */
export type Viewer =
  | { readonly kind: "loading" }
  /** Signed in, but the profile could not be read. */
  | { readonly kind: "failed" }
  | { readonly kind: "anonymous" }
  /** An administrator without a second factor, to whom the server answers nothing. */
  | { readonly kind: "first-factor" }
  | {
      readonly kind: "member";
      /** True while the account has a one-time password: nothing else comes before replacing it. */
      readonly mustChoosePassword?: boolean;
      readonly role: Role;
      readonly onboardingComplete: boolean;
      /** Whether a subscription is active or on trial. */
      readonly subscribed: Fact<boolean>;
      /** 0 before onboarding is finished. */
      readonly level: Fact<number>;
    };
