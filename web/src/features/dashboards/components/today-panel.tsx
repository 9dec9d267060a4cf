import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { levelByNumber } from "@/domain/levels.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { todayStep } from "./today-step.ts";
import type { Today } from "../model/today.ts";
import { useMentorHome, useNoteHello, useToday } from "../queries.ts";
import { mentorHomeStrings, todayStrings } from "../strings.ts";
import { useFirstDays } from "../use-first-days.ts";
import { BaselineSection } from "./baseline-section.tsx";
import { FirstDaysSection } from "./first-days-section.tsx";
import { ContinueSection } from "./continue-section.tsx";
import { MentorSection } from "./mentor-section.tsx";
import { TodayPact } from "./today-pact.tsx";
import { RoomWordsSection } from "./room-words-section.tsx";
import { WaitingSection } from "./waiting-section.tsx";

/** The next step, what waits for the member, what was left open, and the newest words of rooms; a mentor's own first. */
export function TodayPanel({ role }: { readonly role: "student" | "mentor" }) {
  const mentorHome = useMentorHome(role === "mentor");
  const { data, isError, error, isFetching, refetch } = useToday();
  const firstDays = useFirstDays();
  const noteHello = useNoteHello();
  if (data === undefined || ((firstDays.isPending || mentorHome.isLoading) && !isError)) {
    if (!isError) return <TodaySkeleton />;
    return (
      <LoadFailed
        title={todayStrings.failed}
        busy={isFetching}
        advice={retryLaterMessage(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <section aria-label={todayStrings.title} className="grid max-w-column grid-cols-1 gap-6">
      {mentorHome.data ? (
        <MentorSection questions={data.waiting.questions} home={mentorHome.data} />
      ) : mentorHome.isError ? (
        <LoadFailed
          title={mentorHomeStrings.failed}
          busy={mentorHome.isFetching}
          advice={retryLaterMessage(mentorHome.error)}
          onRetry={() => void mentorHome.refetch()}
        />
      ) : null}
      {firstDays.steps === null ? (
        <NextStepCard today={data} />
      ) : (
        <FirstDaysSection
          steps={firstDays.steps}
          today={data}
          roomsNeeded={firstDays.roomsNeeded}
          onHello={noteHello}
        />
      )}
      {/* In the order of a member's few minutes: what asks something, what was left open, what is going on. */}
      {firstDays.steps === null ? <BaselineSection until={data.baseline_until} /> : null}
      {/* A mentor's questions stand above already. */}
      <WaitingSection
        waiting={mentorHome.data ? { ...data.waiting, questions: 0 } : data.waiting}
      />
      <ContinueSection left={data.continue} />
      <RoomWordsSection rooms={data.rooms} />
      {firstDays.steps === null || data.pact !== null ? <TodayPact today={data} /> : null}
    </section>
  );
}

function NextStepCard({ today }: { readonly today: Today }) {
  const step = todayStep(today);
  if (step === null) return null;
  return (
    <Card
      data-accent={levelByNumber(today.level)?.accent}
      className="flex flex-col gap-4 sm:flex-row sm:items-center sm:justify-between"
    >
      <div className="grid gap-1">
        <h2 className="text-sm text-muted">{todayStrings.nextStep}</h2>
        <p className="tabular text-lg font-medium">{step.sentence}</p>
      </div>
      <Button asChild variant="accent" size="lg" className="shrink-0 whitespace-nowrap">
        <Link to={step.to}>
          {step.label}
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      </Button>
    </Card>
  );
}

/** In outline: the step, and the four parts that most members see, with lines as tall as theirs. */
function TodaySkeleton() {
  return (
    <Loading label={todayStrings.loading} className="grid max-w-column grid-cols-1 gap-6">
      <Skeleton className="h-46 rounded-card sm:h-26" />
      <PartSkeleton className="h-67" />
      <PartSkeleton className="h-36" />
      <PartSkeleton className="h-77" />
      <PartSkeleton className="h-20" />
    </Loading>
  );
}

function PartSkeleton({ className }: { readonly className: string }) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <Skeleton className="my-1 h-6 w-40" />
      <Skeleton className={`rounded-card ${className}`} />
    </div>
  );
}
