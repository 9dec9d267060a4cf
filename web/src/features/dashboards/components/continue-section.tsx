import { BookOpen, GraduationCap } from "lucide-react";
import { Link } from "react-router";
import { continueLinks } from "./continue-links.ts";
import type { Today } from "../model/today.ts";
import { todayStrings } from "../strings.ts";
import { TodaySection } from "./today-section.tsx";

const icons = { lesson: GraduationCap, article: BookOpen } as const;

/** The lesson and the article left open; nothing when there are none. */
export function ContinueSection({ left }: { readonly left: Today["continue"] }) {
  const links = continueLinks(left);
  if (links.length === 0) return null;
  return (
    <TodaySection title={todayStrings.continue}>
      {links.map(({ kind, title, detail, to }) => {
        const Icon = icons[kind];
        return (
          <li key={kind}>
            <Link
              to={to}
              className="grid min-h-11 grid-cols-[1rem_minmax(0,1fr)] gap-x-3 rounded-control px-2 py-2.5 text-sm hover:bg-hover"
            >
              <Icon aria-hidden className="mt-0.5 size-4 text-accent" />
              <span className="grid gap-0.5">
                <span className="font-medium wrap-anywhere">{title}</span>{" "}
                <span className="tabular text-muted wrap-anywhere">{detail}</span>
              </span>
            </Link>
          </li>
        );
      })}
    </TodaySection>
  );
}
