import { PiggyBank } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { exactTime, lastDayInLondon } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { todayStrings } from "../strings.ts";
import { TodaySection } from "./today-section.tsx";

const dayMs = 86_400_000;

/** How many days are left to write down the start of the guarantee; nothing once it is on record. */
export function BaselineSection({ until }: { readonly until: string | null }) {
  const now = useNow();
  if (until === null) return null;
  const end = Date.parse(until);
  if (end <= now) return null;
  return (
    <TodaySection title={todayStrings.guarantee}>
      <li>
        <Link
          to={paths.progressGuarantee}
          className="flex min-h-11 items-start gap-3 rounded-control px-2 py-2.5 text-sm hover:bg-hover"
        >
          <PiggyBank aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
          <span className="grid gap-0.5">
            <span className="font-medium">{todayStrings.writeStart}</span>{" "}
            <time dateTime={until} title={exactTime(end)} className="text-muted">
              {todayStrings.startDays(Math.ceil((end - now) / dayMs), lastDayInLondon(end))}
            </time>
          </span>
        </Link>
      </li>
    </TodaySection>
  );
}
