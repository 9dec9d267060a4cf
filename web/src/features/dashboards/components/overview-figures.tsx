import { formatPence } from "@/domain/brand.ts";
import { levels } from "@/domain/levels.ts";
import { membershipNames } from "@/domain/membership-status.ts";
import { formatChange, formatChangeSince } from "@/lib/format-change.ts";
import { formatCount } from "@/lib/format-count.ts";
import { longDate } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Card } from "@/ui/card.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import { churnText, periodDays, shareText, type Funnel, type Overview } from "../model/overview.ts";
import { overviewStrings } from "../strings.ts";

interface Figure {
  readonly label: string;
  readonly read: (overview: Overview) => string;
  readonly note?: (overview: Overview, now: number) => string;
  /** How it compares with the thirty days before, where that is kept. */
  readonly change?: (overview: Overview) => string;
}

const community: readonly Figure[] = [
  {
    label: overviewStrings.paying,
    read: (o) => formatCount(o.payingStudents + o.payingMentors),
    note: (o) => overviewStrings.payingNote(o.payingStudents, o.payingMentors, o.onTrial),
    change: (o) =>
      overviewStrings.withTrials(
        o.subscribed,
        formatChangeSince({ now: o.subscribed, before: o.before.subscribed }, periodDays),
      ),
  },
  {
    label: overviewStrings.revenue,
    read: (o) => (o.monthlyRevenuePence === null ? "–" : formatPence(o.monthlyRevenuePence)),
    note: (o) =>
      o.monthlyRevenuePence === null ? overviewStrings.revenueHidden : overviewStrings.revenueNote,
  },
  {
    label: overviewStrings.churn,
    read: (o) => churnText(o.churn),
    note: (o, now) =>
      o.churn.members > 0
        ? overviewStrings.churnNote
        : overviewStrings.churnUnknown(firstChurnDay(o, now)),
    change: (o) =>
      o.churn.members === 0
        ? ""
        : o.before.churn.members === 0
          ? overviewStrings.churnNotBefore
          : overviewStrings.churnBefore(churnText(o.before.churn)),
  },
  {
    label: overviewStrings.joined,
    read: (o) => formatCount(o.newMembers),
    note: () => overviewStrings.lastDays,
    change: (o) => formatChange({ now: o.newMembers, before: o.before.newMembers }, periodDays),
  },
  {
    label: overviewStrings.lost,
    read: (o) => formatCount(o.lostMembers),
    note: () => overviewStrings.lastDays,
    change: (o) => formatChange({ now: o.lostMembers, before: o.before.lostMembers }, periodDays),
  },
  { label: overviewStrings.cancelling, read: (o) => formatCount(o.cancelling) },
];

/** The day from which on churn can be told, in words; null without any member, and when the first ones have gone since. */
function firstChurnDay({ firstMemberAt }: Overview, now: number): string | null {
  if (firstMemberAt === null) return null;
  const day = firstMemberAt + periodDays * 86_400_000;
  return day <= now ? null : longDate(day);
}

/** The figures at the top of the overview; dashes while they could not be read. */
export function CommunityFigures({
  overview,
  failed,
}: {
  readonly overview: Overview | undefined;
  readonly failed: boolean;
}) {
  const now = useNow();
  return (
    <Card className="grid content-start gap-5">
      <h2 className="text-sm font-medium text-muted">{overviewStrings.community}</h2>
      <dl
        aria-label={overviewStrings.communityLabel}
        className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3"
      >
        {community.map(({ label, read, note, change }) => (
          <StatFigure
            key={label}
            label={label}
            value={
              overview ? read(overview) : failed ? "–" : <Skeleton className="my-1 h-7 w-16" />
            }
            note={overview && note?.(overview, now)}
            change={overview && change?.(overview)}
          />
        ))}
      </dl>
    </Card>
  );
}

/** Statuses that are shown without any account, too. */
const alwaysListed: readonly string[] = ["paying", "past_due"];

/** Accounts by the status of their subscription, and members with access by level. */
export function MemberBreakdown({ overview }: { readonly overview: Overview }) {
  const members = overview.byLevel.reduce((sum, count) => sum + count, 0);
  const names = [overviewStrings.noLevel, ...levels.map(({ number, name }) => `${number} ${name}`)];
  return (
    <>
      <Breakdown
        title={overviewStrings.byStatus}
        total={overview.accounts}
        rows={Object.entries(membershipNames)
          .filter(
            ([status]) => alwaysListed.includes(status) || (overview.byStatus[status] ?? 0) > 0,
          )
          .map(([status, name]) => [name, overview.byStatus[status] ?? 0] as const)}
      />
      <Breakdown
        title={overviewStrings.byLevel}
        total={members}
        rows={names.map((name, level) => [name, overview.byLevel[level] ?? 0])}
      />
    </>
  );
}

function Breakdown({
  title,
  total,
  rows,
}: {
  readonly title: string;
  readonly total: number;
  readonly rows: readonly (readonly [name: string, count: number])[];
}) {
  return (
    <Card className="grid content-start gap-4">
      <h2 className="text-sm font-medium text-muted">{title}</h2>
      <ul aria-label={title} className="grid gap-3 text-sm">
        {rows.map(([name, count]) => (
          <li key={name} className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1">
            <span>{name}</span>
            <span className="tabular font-medium">{formatCount(count)}</span>
            <ProgressBar
              className="col-span-2"
              label={name}
              value={total === 0 ? 0 : (100 * count) / total}
              valueText={overviewStrings.share(count, total)}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** From sign-up to a plan to onboarding, for the last thirty days and for all time. */
export function FunnelTable({ overview }: { readonly overview: Overview }) {
  return (
    <Card className="grid content-start gap-4">
      <h2 id="funnel" className="text-sm font-medium text-muted">
        {overviewStrings.funnel}
      </h2>
      <table aria-labelledby="funnel" className="tabular w-full text-sm">
        <thead>
          <tr className="text-muted">
            <th scope="col" className="py-1 text-left font-medium">
              {overviewStrings.step}
            </th>
            <th scope="col" className="py-1 pl-4 text-right font-medium">
              {overviewStrings.lastDays}
            </th>
            <th scope="col" className="py-1 pl-4 text-right font-medium">
              {overviewStrings.all}
            </th>
          </tr>
        </thead>
        <tbody>
          {overviewStrings.steps.map((step, place) => (
            <tr key={step} className="border-t border-line">
              <th scope="row" className="py-2 pr-2 text-left font-normal">
                {step}
              </th>
              <FunnelCell funnel={overview.funnel.recent} place={place} />
              <FunnelCell funnel={overview.funnel.all} place={place} />
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function FunnelCell({ funnel, place }: { readonly funnel: Funnel; readonly place: number }) {
  const [count, before] = [funnel[place] ?? 0, funnel[place - 1]];
  const share = before === undefined ? null : shareText(count, before);
  return (
    <td className="py-2 pl-4 text-right">
      <span className="font-medium">{formatCount(count)}</span>
      {share === null ? null : <span className="block text-muted">{share}</span>}
    </td>
  );
}
