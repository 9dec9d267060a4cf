import { Handshake } from "lucide-react";
import { Link } from "react-router";
import { outcomePath, paths } from "@/domain/paths.ts";
import { dueText, pactStrings } from "@/features/pacts/index.ts";
import { useNow } from "@/lib/use-now.ts";
import type { Today } from "../model/today.ts";
import { todayStrings } from "../strings.ts";
import { TodaySection } from "./today-section.tsx";

const line = "flex min-h-11 items-start gap-3 rounded-control px-2 py-2.5 text-sm hover:bg-hover";

/** The pact that is due next, or the way to make one; nothing without a membership. */
export function TodayPact({ today: { level, pact } }: { readonly today: Today }) {
  const now = useNow();
  if (level === 0) return null;
  return (
    <TodaySection title={todayStrings.pact}>
      {pact === null ? (
        <li>
          <Link to={paths.newPact} className={line}>
            <Handshake aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
            <span className="grid gap-0.5">
              <span className="font-medium">{pactStrings.make}</span>{" "}
              <span className="text-muted">{todayStrings.noPact}</span>
            </span>
          </Link>
        </li>
      ) : (
        <>
          <li>
            <Link to={paths.pacts} className={line}>
              <Handshake aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
              <span className="grid gap-0.5">
                <bdi className="font-medium wrap-anywhere">{pact.title}</bdi>{" "}
                <span className={pact.is_overdue ? "text-danger" : "text-muted"}>
                  {dueText({ due_on: pact.due_on, closed_at: null }, now)}
                </span>
              </span>
            </Link>
          </li>
          <li>
            <Link to={outcomePath(pact.id)} className={`${line} pl-9 font-medium`}>
              {pactStrings.record}
            </Link>
          </li>
        </>
      )}
    </TodaySection>
  );
}
