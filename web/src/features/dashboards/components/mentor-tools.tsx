import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { mentorToolsStrings } from "../strings.ts";

/** What the mentor plan adds, as the landing page names it. */
export function MentorTools() {
  return (
    <section aria-labelledby="mentor-tools" className="grid gap-4">
      <h2 id="mentor-tools" className="display text-xl">
        {mentorToolsStrings.title}
      </h2>
      <Link
        to={paths.studio}
        className="flex min-h-14 items-center justify-between gap-4 rounded-card border border-line bg-raised px-5 py-3 font-medium hover:border-control-line"
      >
        {mentorToolsStrings.creation}
        <ArrowRight aria-hidden className="size-4 shrink-0 text-accent" />
      </Link>
      <Link
        to={paths.studioAnalytics}
        className="flex min-h-14 items-center justify-between gap-4 rounded-card border border-line bg-raised px-5 py-3 font-medium hover:border-control-line"
      >
        {mentorToolsStrings.analytics}
        <ArrowRight aria-hidden className="size-4 shrink-0 text-accent" />
      </Link>
      <Link
        to={paths.studioSelling}
        className="flex min-h-14 items-center justify-between gap-4 rounded-card border border-line bg-raised px-5 py-3 font-medium hover:border-control-line"
      >
        {mentorToolsStrings.selling}
        <ArrowRight aria-hidden className="size-4 shrink-0 text-accent" />
      </Link>
    </section>
  );
}
