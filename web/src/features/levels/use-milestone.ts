import { useCallback, useEffect, useState } from "react";
import { levelCompletion, type Requirement } from "@/domain/level-progress.ts";
import { maximumLevel } from "@/domain/levels.ts";
import { useSession } from "@/features/session/index.ts";
import { browserTabs, celebrateOnce } from "./model/celebrate-once.ts";
import { milestoneBetween, type Milestone, type Position } from "./components/milestone.ts";
import { useLevel } from "./queries.ts";
import { useProgress } from "./queries.ts";

interface ShownMilestone {
  readonly milestone: Milestone | null;
  /** What led to it; nothing where the level came otherwise, by an administrator. */
  readonly met: readonly Requirement[];
  readonly dismiss: () => void;
}

/** The milestone that was reached while one looked, until it is put aside. In one of the member's tabs. */
export function useMilestone(): ShownMilestone {
  const { user } = useSession();
  const level = useLevel();
  const progress = useProgress();
  const [known, setKnown] = useState<Position | null>(null);
  const [milestone, setMilestone] = useState<Milestone | null>(null);
  const [celebrated, setCelebrated] = useState<Milestone | null>(null);
  const dismiss = useCallback(() => setMilestone(null), []);
  const userId = user?.id;
  useEffect(() => {
    if (milestone === null) return undefined;
    const name = `celebration-${userId}-${milestone.title}`;
    return celebrateOnce(name, () => setCelebrated(milestone), browserTabs());
  }, [milestone, userId]);
  const ready = user !== null && level.status === "ready" && progress.status === "ready";
  if (ready) {
    const now = {
      userId: user.id,
      level: level.current,
      complete:
        levelCompletion(progress.requirements[maximumLevel], progress.counters).percent === 100,
    };
    const same =
      known?.userId === now.userId && known.level === now.level && known.complete === now.complete;
    if (!same) {
      setKnown(now);
      const reached = milestoneBetween(known, now);
      if (reached) setMilestone(reached);
      else if (known?.userId !== now.userId) setMilestone(null);
    }
  }
  const asked = ready && milestone ? progress.requirements[milestone.completed] : [];
  const isMet = ready && levelCompletion(asked, progress.counters).percent === 100;
  return {
    milestone: milestone === celebrated ? milestone : null,
    met: isMet ? asked : [],
    dismiss,
  };
}
