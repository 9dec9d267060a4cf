import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatPence } from "@/domain/brand.ts";
import { useSession } from "@/features/session/public.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import { selectAdminFigures } from "../api/select-admin-figures.ts";
import type { AdminFigures } from "../model/figures.ts";
import { HelpButton } from "./help-button.tsx";
import { ProfileCard } from "./profile-card.tsx";
import { SectionDoors } from "./section-doors.tsx";

/** `/admindash`: how the community stands, and who waits for a verdict. */
export function AdminDashboard({ review }: { readonly review: ReactNode }) {
  const { profile } = useSession();
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        className="pb-0"
        title={profile?.firstName ? `Welcome back, ${profile.firstName}` : "Welcome back"}
        intro="How the community stands, and what waits for you."
        actions={<HelpButton />}
      />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <ProfileCard />
        <CommunityFigures />
      </div>
      {review}
      <SectionDoors role="admin" />
    </div>
  );
}

const count = new Intl.NumberFormat("en-GB");

/** `1 mentor`, `2 mentors`. */
function counted(figure: number, noun: string): string {
  return `${count.format(figure)} ${noun}${figure === 1 ? "" : "s"}`;
}

const shown: readonly (readonly [
  label: string,
  read: (figures: AdminFigures) => string,
  note: ((figures: AdminFigures) => string) | null,
])[] = [
  [
    "Paying members",
    (f) => count.format(f.payingStudents + f.payingMentors),
    (f) => `${counted(f.payingStudents, "student")}, ${counted(f.payingMentors, "mentor")}`,
  ],
  ["Monthly revenue", (f) => formatPence(f.monthlyRevenuePence), null],
  [
    "Accounts",
    (f) => count.format(f.accounts),
    (f) => `${count.format(f.onboardedMembers)} finished onboarding`,
  ],
  ["New this week", (f) => count.format(f.signupsThisWeek), null],
  ["Past due", (f) => count.format(f.pastDue), null],
  ["Leaving at period end", (f) => count.format(f.cancelling), null],
  ["Documents waiting", (f) => count.format(f.pendingVerifications), null],
  ["Flagged accounts", (f) => count.format(f.flaggedAccounts), null],
];

function CommunityFigures() {
  const { client } = useBackend();
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ["admin-figures"],
    queryFn: () => selectAdminFigures(client),
    retry: 2,
    retryDelay: 1000,
  });
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
          The figures could not be loaded.
          <Button variant="secondary" size="sm" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : null}
    </Card>
  );
}
