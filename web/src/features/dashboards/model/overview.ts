import type { QueueCount } from "@/features/moderation/index.ts";

/** Signed up, joined a plan at least once (trials included), and joined and finished onboarding. */
export type Funnel = readonly [signedUp: number, joined: number, onboarded: number];

/** Who was a member when a period began, and how many of them were not any more at its end. */
export interface Churn {
  readonly members: number;
  readonly lost: number;
}

/** The period of the figures, in days. */
export const periodDays = 30;

/** What is true of the community now. Administrators count in none of it. */
export interface Overview {
  readonly accounts: number;
  /** Accounts by their membership, as in the list of members. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** Members with access by level, trials and complimentary ones included; place 0 for those who have not finished onboarding. */
  readonly byLevel: readonly number[];
  readonly payingStudents: number;
  readonly payingMentors: number;
  readonly onTrial: number;
  readonly cancelling: number;
  readonly newMembers: number;
  readonly lostMembers: number;
  /** Who was a member thirty days ago, and how many of them are not any more. */
  readonly churn: Churn;
  /** Who has a plan now, trials included. */
  readonly subscribed: number;
  /** When the first of them began, in milliseconds; null without any. */
  readonly firstMemberAt: number | null;
  /** The same thirty days ago. */
  readonly before: {
    readonly subscribed: number;
    readonly newMembers: number;
    readonly lostMembers: number;
    readonly churn: Churn;
  };
  readonly funnel: { readonly all: Funnel; readonly recent: Funnel };
  /** Of members who pay. Null without a second factor. */
  readonly monthlyRevenuePence: number | null;
  readonly queues: readonly QueueCount[];
  readonly failures: {
    readonly webhooks: number;
    readonly emails: number;
    readonly emailsRetrying: number;
    /** Accounts whose latest data export failed. */
    readonly exports: number;
  };
  /** The hosts of this repository that run the product; none on hosted Supabase. */
  readonly hosts: readonly HostLights[];
}

/** How one part of a host is, such as its disk. */
export interface HostCheck {
  readonly part: string;
  /** `ok`, `warning` or `failing`. */
  readonly state: string;
  /** What is wrong, in the host's words. */
  readonly detail: string | null;
}

/** What a host last told of itself. */
export interface HostLights {
  readonly name: string;
  /** Since when it tells nothing any more, in milliseconds; null while it does. */
  readonly silentSince: number | null;
  readonly checks: readonly HostCheck[];
}

/** The parts in the order they are shown; a part that is not named here follows. */
export const partOrder = ["database", "disk", "jobs", "mail", "card provider", "backups"] as const;

/** A host's checks in that order. */
export function inPartOrder(checks: readonly HostCheck[]): readonly HostCheck[] {
  const place = ({ part }: HostCheck) => {
    const index = partOrder.findIndex((each) => each === part);
    return index === -1 ? partOrder.length : index;
  };
  return checks.toSorted((a, b) => place(a) - place(b));
}

/** `3.2%`, or a dash when there was no member to lose. */
export function churnText({ members, lost }: Churn): string {
  if (members === 0) return "–";
  const percent = (100 * lost) / members;
  return `${Number(percent.toFixed(1))}%`;
}

/** The share of the step before, such as `40%`; null when that step is empty. */
export function shareText(count: number, before: number): string | null {
  return before === 0 ? null : `${Math.round((100 * count) / before)}%`;
}
