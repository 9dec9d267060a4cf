import { Check, Circle } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { RoomMessageForm } from "@/features/chat/index.ts";
import { useProgress } from "@/features/levels/index.ts";
import { pactStrings } from "@/features/pacts/index.ts";
import { lastDayInLondon } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { firstRoomId } from "../api/fetch-said-hello.ts";
import type { FirstStep, FirstStepState } from "../model/first-days.ts";
import type { Today } from "../model/today.ts";
import { firstDaysStrings, todayStrings } from "../strings.ts";
import { TodaySection } from "./today-section.tsx";

const dayMs = 86_400_000;

interface StepLink {
  readonly title: string;
  readonly hint: string;
  readonly to: string;
}

/** What a new student does first. The greeting is written right here. */
export function FirstDaysSection({
  steps,
  today,
  roomsNeeded,
  onHello,
}: {
  readonly steps: readonly FirstStepState[];
  readonly today: Today;
  readonly roomsNeeded: number;
  /** The greeting was sent. */
  readonly onHello: () => void;
}) {
  const now = useNow();
  const { counters } = useProgress();
  const room = today.next_step?.room ?? null;
  const hasSaidHello = steps.some(([step, isDone]) => step === "hello" && isDone);
  const comesFirst = hasSaidHello && counters.chatRoomsOpened === 0;
  const until = Date.parse(today.baseline_until ?? "");
  const links: Readonly<Record<FirstStep, StepLink>> = {
    hello: {
      title: firstDaysStrings.hello,
      hint: firstDaysStrings.toGeneral,
      to: `${paths.chats}/${firstRoomId}`,
    },
    rooms: {
      title: firstDaysStrings.rooms,
      hint: comesFirst
        ? firstDaysStrings.firstRoomHint(roomsNeeded)
        : firstDaysStrings.roomsHint(counters.chatRoomsOpened, roomsNeeded),
      to: comesFirst
        ? `${paths.chats}/${firstRoomId}`
        : room === null
          ? paths.chats
          : `${paths.chats}/${room}`,
    },
    pact: { title: pactStrings.make, hint: todayStrings.noPact, to: paths.newPact },
    income: {
      title: todayStrings.writeStart,
      hint: Number.isNaN(until)
        ? ""
        : todayStrings.startDays(
            Math.max(1, Math.ceil((until - now) / dayMs)),
            lastDayInLondon(until),
          ),
      to: paths.progressGuarantee,
    },
    submission: {
      title: firstDaysStrings.submission,
      hint: firstDaysStrings.submissionHint,
      to: paths.newSubmission,
    },
  };
  const helloRow = useRef<HTMLLIElement>(null);
  /** The greeting that was sent, and how tall its form was: the steps below it stay under the pointer. */
  const [sent, setSent] = useState<{ words: string; height: number | undefined }>();
  return (
    <TodaySection title={firstDaysStrings.title}>
      {steps.map(([step, isDone]) =>
        step === "hello" && !isDone ? (
          <li key={step} ref={helloRow} className="flex gap-3 px-2 py-2.5">
            <Circle aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
            <div className="min-w-0 grow">
              <RoomMessageForm
                roomId={firstRoomId}
                label={firstDaysStrings.hello}
                hint={firstDaysStrings.helloHint}
                onSent={(words) => {
                  setSent({ words, height: helloRow.current?.getBoundingClientRect().height });
                  onHello();
                }}
              />
            </div>
          </li>
        ) : (
          <li
            key={step}
            className="flex flex-col"
            style={step === "hello" ? { minHeight: sent?.height } : undefined}
          >
            <StepRow
              link={
                isDone && (step !== "hello" || sent) ? { ...links[step], hint: "" } : links[step]
              }
              isDone={isDone}
            />
            {step === "hello" && sent ? (
              // Words and button stand where field and button stood: nothing is empty, and nothing below moves.
              <div className="mr-2 mb-2.5 ml-9 grid grow grid-rows-[1fr_auto] justify-items-start gap-3">
                <div className="grid w-full content-center rounded-control bg-sunken px-3 py-2.5">
                  <p className="line-clamp-5 wrap-anywhere whitespace-pre-line text-muted">
                    {sent.words}
                  </p>
                </div>
                <Button asChild variant="secondary">
                  <Link to={links.hello.to}>{links.hello.hint}</Link>
                </Button>
              </div>
            ) : null}
          </li>
        ),
      )}
    </TodaySection>
  );
}

function StepRow({
  link: { title, hint, to },
  isDone,
}: {
  readonly link: StepLink;
  readonly isDone: boolean;
}) {
  const Mark = isDone ? Check : Circle;
  return (
    <Link
      to={to}
      className="flex min-h-11 items-start gap-3 rounded-control px-2 py-2.5 text-sm hover:bg-hover"
    >
      <Mark
        aria-hidden
        className={classNames("mt-0.5 size-4 shrink-0", isDone ? "text-accent" : "text-muted")}
      />
      <span className="grid gap-0.5">
        <span className={classNames("font-medium", isDone && "text-muted")}>
          {isDone ? <span className="sr-only">{firstDaysStrings.done}</span> : null}
          {title}
        </span>{" "}
        {hint === "" ? null : <span className="text-muted">{hint}</span>}
      </span>
    </Link>
  );
}
