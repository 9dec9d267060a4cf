import type { ReactNode } from "react";
import { formatPence } from "@/domain/brand.ts";
import { useSession } from "@/features/session/index.ts";
import { pluralise, formatCount } from "@/lib/format-count.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import { useAdminFigures } from "../queries.ts";
import type { AdminFigures } from "../model/figures.ts";
import { HelpButton } from "../components/help-button.tsx";
import { ProfileCard } from "../components/profile-card.tsx";
import { SectionCards } from "../components/section-cards.tsx";

/** `/admindash`: figures of the community, and the documents to review. */
export function AdminDashboard({ review }: { readonly review: ReactNode }) {
  const { profile } = useSession();
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        className="pb-0"
        title={profile?.firstName ? `Welcome back, ${profile.firstName}` : "Welcome back"}
        intro="How the community is doing, and what needs your attention."
        actions={<HelpButton />}
      />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <ProfileCard />
        <CommunityFigures />
      </div>
      {review}
      <SectionCards role="admin" />
    </div>
  );
}

const shown: readonly (readonly [
  label: string,
  read: (figures: AdminFigures) => string,
  note: ((figures: AdminFigures) => string) | null,
])[] = [
  [
    "Paying members",
    (f) => formatCount(f.payingStudents + f.payingMentors),
    (f) => `${pluralise(f.payingStudents, "student")}, ${pluralise(f.payingMentors, "mentor")}`,
  ],
  [
    "Monthly revenue",
    (f) => (f.monthlyRevenuePence === null ? "–" : formatPence(f.monthlyRevenuePence)),
    (f) => (f.monthlyRevenuePence === null ? "Needs your second factor" : ""),
  ],
  [
    "Accounts",
    (f) => formatCount(f.accounts),
    (f) => `${formatCount(f.onboardedMembers)} finished onboarding`,
  ],
  ["New this week", (f) => formatCount(f.signupsThisWeek), null],
  ["Past due", (f) => formatCount(f.pastDue), null],
  ["Cancelling at period end", (f) => formatCount(f.cancelling), null],
  ["Documents waiting", (f) => formatCount(f.pendingVerifications), null],
  ["Flagged accounts", (f) => formatCount(f.flaggedAccounts), null],
];

function CommunityFigures() {
  const { data, isError, isFetching, refetch } = useAdminFigures();
  return (
    <Card className="grid content-start gap-5">
      <h2 className="text-sm font-medium text-muted">Community</h2>
      <dl
        aria-label="Community figures"
        className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-4"
      >
        {shown.map(([label, read, note]) => (
          <StatFigure
            key={label}
            label={label}
            value={data ? read(data) : isError ? "–" : <Skeleton className="my-1 h-7 w-16" />}
            note={data && note ? note(data) : undefined}
          />
        ))}
      </dl>
      {isError && !data ? (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-muted">
          The figures couldn't be loaded.
          <Button variant="secondary" size="sm" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : null}
    </Card>
  );
}
