import { useProgress } from "@/features/levels/index.ts";
import { useSession } from "@/features/session/index.ts";
import { useNow } from "@/lib/use-now.ts";
import { firstStepsOf, isNew, type FirstStepState } from "./model/first-days.ts";
import { useSaidHello, useToday } from "./queries.ts";

export interface FirstDays {
  /** What they depend on is not known yet. */
  readonly isPending: boolean;
  /** Null when Home does not begin with them. */
  readonly steps: readonly FirstStepState[] | null;
  readonly roomsNeeded: number;
}

/** The steps that a new student's Home begins with. */
export function useFirstDays(): FirstDays {
  const { user, role } = useSession();
  const now = useNow();
  const { counters, requirements } = useProgress();
  const today = useToday();
  const isAsked = role === "student" && isNew(user?.joinedAt, now);
  const hello = useSaidHello(isAsked);
  const roomsNeeded = requirements[1].find(({ kind }) => kind === "rooms")?.needed ?? 0;
  return {
    isPending: isAsked && hello.isPending,
    steps:
      isAsked && today.data !== undefined && !hello.isPending
        ? firstStepsOf(today.data, counters, hello.data ?? false, roomsNeeded)
        : null,
    roomsNeeded,
  };
}
