import {
  BookOpen,
  CalendarCheck,
  DoorOpen,
  GraduationCap,
  Handshake,
  MessageSquare,
  PenLine,
  TrendingUp,
} from "lucide-react";
import type { ReactNode } from "react";
import { longDate, noonOf } from "@/lib/format-time.ts";
import type { AchievementMeasure, EarnedAchievement } from "../model/achievements.ts";

const icons = {
  rooms: DoorOpen,
  messages: MessageSquare,
  submissions: PenLine,
  articles: BookOpen,
  courses: GraduationCap,
  pacts: Handshake,
  weeks: CalendarCheck,
  levels: TrendingUp,
} as const satisfies Record<AchievementMeasure, unknown>;

const accents = {
  rooms: "community",
  messages: "community",
  submissions: "community",
  articles: "knowledge",
  courses: "knowledge",
  pacts: "business",
  weeks: "wealth",
  levels: "wealth",
} as const satisfies Record<AchievementMeasure, string>;

/** One achievement with its day. */
export function AchievementBadge({
  achievement: { measure, title, line, earned_on: day },
  action,
}: {
  readonly achievement: EarnedAchievement;
  readonly action?: ReactNode;
}) {
  const Icon = icons[measure];
  return (
    <li
      data-accent={accents[measure]}
      className="flex items-start gap-3 rounded-card border border-line bg-raised p-4"
    >
      <span className="wash grid size-10 shrink-0 place-items-center rounded-full text-accent">
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="grid min-w-0 grow gap-0.5">
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-muted">{line}</p>
        <p className="text-sm text-muted">{longDate(noonOf(day))}</p>
      </div>
      {action}
    </li>
  );
}
