import { overallCompletion } from "@/domain/level-progress.ts";
import { ProgressCard, useLevel, useProgress } from "@/features/levels/index.ts";
import { useSession } from "@/features/session/index.ts";
import { useNow } from "@/lib/use-now.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { MentorTools } from "../components/mentor-tools.tsx";
import { HelpButton } from "../components/help-button.tsx";
import { ProfileCard } from "../components/profile-card.tsx";
import { SectionCards } from "../components/section-cards.tsx";
import { TodayPanel } from "../components/today-panel.tsx";
import { greeting } from "../components/greeting.ts";
import { useFigures, useMentorHome, useRefreshToday, useToday } from "../queries.ts";
import { dashboardStrings } from "../strings.ts";
import { useFirstDays, type FirstDays } from "../use-first-days.ts";

function useAskedFirst(): FirstDays {
  // Asked for together with Today, though shown after it.
  useFigures();
  return useFirstDays();
}

/** Asks for what Home shows, and draws nothing: for the time in which it is not known yet whether it opens. */
export function HomeQuestions() {
  useAskedFirst();
  return null;
}

/** `/studentdash` and `/mentordash`: what is new, profile, progress and the four sections. */
export function MemberDashboard({ role }: { readonly role: "student" | "mentor" }) {
  const { user, profile } = useSession();
  const now = useNow();
  const { status, counters, requirements } = useProgress();
  const level = useLevel();
  const today = useToday();
  useRefreshToday();
  const firstDays = useAskedFirst();
  const mentorHome = useMentorHome(role === "mentor");
  const isKnown =
    (today.isError ||
      (today.data !== undefined && !firstDays.isPending && !mentorHome.isLoading)) &&
    level.status !== "loading";
  const hasDoneNothing = status === "ready" && overallCompletion(requirements, counters).done === 0;
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        className="pb-0"
        title={greeting(profile?.firstName, user, now, hasDoneNothing)}
        intro={role === "mentor" ? dashboardStrings.mentorIntro : dashboardStrings.studentIntro}
        actions={<HelpButton />}
        actionsBeside
      />
      <div className="grid grid-cols-1 gap-x-4 gap-y-8 lg:grid-cols-[20rem_minmax(0,1fr)] xl:grid-cols-[minmax(0,var(--container-column))_minmax(18rem,1fr)] xl:items-start xl:gap-x-8">
        <div className="min-w-0 lg:max-xl:col-span-2">
          <TodayPanel role={role} />
        </div>
        {/* How tall Today will be is known with its answer alone. What stands below it comes with it, and never moves. */}
        {isKnown ? (
          <>
            <ProfileCard />
            <div className="grid grid-cols-1 xl:col-span-2">
              <ProgressCard />
            </div>
          </>
        ) : null}
      </div>
      {isKnown ? (
        <>
          {role === "mentor" ? <MentorTools /> : null}
          <SectionCards role={role} />
        </>
      ) : null}
    </div>
  );
}
