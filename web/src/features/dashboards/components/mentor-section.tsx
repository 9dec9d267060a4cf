import { ChartColumn, CircleHelp, PenLine } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { courseAnalyticsPath, paths, studioDraftPath } from "@/domain/paths.ts";
import { timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import type { MentorHome } from "../model/mentor-home.ts";
import { mentorHomeStrings, todayStrings } from "../strings.ts";
import { TodaySection } from "./today-section.tsx";

/** What a mentor's Home begins with: the questions that wait, what is being written, and who read. */
export function MentorSection({
  questions,
  home,
}: {
  /** That wait for an answer. */
  readonly questions: number;
  readonly home: MentorHome;
}) {
  const now = useNow();
  const { drafts, readers, stop } = home;
  return (
    <TodaySection
      title={mentorHomeStrings.title}
      lead={readers === 0 ? undefined : <Readers readers={readers} stop={stop} />}
    >
      {questions === 0 ? null : (
        <Line to={paths.studio} icon={<CircleHelp />} note={mentorHomeStrings.answer}>
          {todayStrings.questions(questions)}
        </Line>
      )}
      {drafts.map((draft) => (
        <Line
          key={draft.id}
          to={studioDraftPath(draft.id)}
          icon={<PenLine />}
          note={mentorHomeStrings.draft(
            draft.status === "returned",
            timeAgo(Date.parse(draft.updated_at), now),
          )}
        >
          {draft.title.trim() === "" ? mentorHomeStrings.untitled : draft.title}
        </Line>
      ))}
      {drafts.length > 0 ? null : (
        <Line to={paths.studio} icon={<PenLine />} note={mentorHomeStrings.beginNote}>
          {mentorHomeStrings.begin}
        </Line>
      )}
      {readers > 0 ? null : (
        <Line
          to={stop === null ? paths.studioAnalytics : courseAnalyticsPath(stop.course_id)}
          icon={<ChartColumn />}
          note={
            stop === null
              ? mentorHomeStrings.figures
              : `${mentorHomeStrings.stop(stop.module)}“${stop.title}”`
          }
        >
          {mentorHomeStrings.nobody}
        </Line>
      )}
    </TodaySection>
  );
}

/** Who read, and where most stop; each leads to its figures. */
function Readers({ readers, stop }: Pick<MentorHome, "readers" | "stop">) {
  return (
    <>
      <Link to={paths.studioAnalytics} className="underline underline-offset-4">
        {mentorHomeStrings.readers(readers)}
      </Link>
      {". "}
      {stop === null ? null : (
        <>
          {mentorHomeStrings.stop(stop.module)}
          <Link to={courseAnalyticsPath(stop.course_id)} className="underline underline-offset-4">
            <bdi>{stop.title}</bdi>
          </Link>
          .
        </>
      )}
    </>
  );
}

function Line({
  to,
  icon,
  note,
  children,
}: {
  readonly to: string;
  readonly icon: ReactNode;
  readonly note: string;
  readonly children: string;
}) {
  return (
    <li>
      <Link
        to={to}
        className="flex items-start gap-3 rounded-control px-2 py-2.5 text-sm hover:bg-hover [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-accent"
      >
        <span aria-hidden>{icon}</span>
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">
            <bdi>{children}</bdi>
          </span>{" "}
          <span className="tabular block text-muted">{note}</span>
        </span>
      </Link>
    </li>
  );
}
