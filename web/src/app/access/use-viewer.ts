import { useMemo } from "react";
import { useSubscription } from "@/features/billing/index.ts";
import { useLevel } from "@/features/levels/index.ts";
import { useSession } from "@/features/session/index.ts";
import type { Fact, Viewer } from "./viewer.ts";

function fact<T>(status: "loading" | "ready" | "failed", value: T): Fact<T> {
  return status === "ready" ? value : status;
}

/** Who is looking: the session, the subscription and the level in one. */
export function useViewer(): Viewer {
  const { user, role, onboardingComplete, loading, profileSettled, profileFailed, firstFactor } =
    useSession();
  const { status: subscriptionStatus, active } = useSubscription();
  const { status: levelStatus, current } = useLevel();
  return useMemo<Viewer>(() => {
    if (user === null) return { kind: loading ? "loading" : "anonymous" };
    if (!profileSettled) return { kind: "loading" };
    if (firstFactor !== null) return { kind: "first-factor" };
    if (profileFailed) return { kind: "failed" };
    return {
      kind: "member",
      mustChoosePassword: user.mustChoosePassword === true,
      role,
      onboardingComplete,
      subscribed: fact(subscriptionStatus, active),
      level: fact(levelStatus, current),
    };
  }, [
    user,
    role,
    onboardingComplete,
    loading,
    profileSettled,
    profileFailed,
    firstFactor,
    subscriptionStatus,
    active,
    levelStatus,
    current,
  ]);
}
