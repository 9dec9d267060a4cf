import { CircleCheck, TriangleAlert } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { formatCount, pluralise } from "@/lib/format-count.ts";
import { timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Card } from "@/ui/card.tsx";
import type { Overview, QueueName } from "../model/overview.ts";

const queueTitles: Readonly<Record<QueueName, string>> = {
  identity: "Identity documents",
  messages: "Reported room messages",
  texts: "Reported direct messages and posts",
  posts: "Reported submissions and comments",
  people: "Reported profiles",
  accounts: "Flagged accounts",
  disputes: "Disputes",
  review: "Drafts to review",
};

/** The queues with how many wait and since when, each a link to it. */
export function QueueSummary({ overview }: { readonly overview: Overview }) {
  const now = useNow();
  return (
    <Card className="grid content-start gap-4">
      <h2 className="text-sm font-medium text-muted">Waiting for a decision</h2>
      <ul aria-label="Queues" className="-my-2 divide-y divide-line">
        {overview.queues.map(({ queue, waiting, oldestAt }) => (
          <li key={queue}>
            <Link
              to={`${paths.adminQueues}?queue=${queue}`}
              className="grid min-h-12 grid-cols-[1fr_auto] items-center gap-4 rounded-control py-2 hover:bg-hover"
            >
              <span>
                <span className="block font-medium underline-offset-4">{queueTitles[queue]}</span>
                <span className="block text-sm text-muted">
                  {oldestAt === null ? "Nothing waits" : `Oldest: ${timeAgo(oldestAt, now)}`}
                </span>
              </span>
              <span className="display tabular text-xl">{formatCount(waiting)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Webhooks, e-mails and data exports that did not get through. */
export function FailureSummary({ overview }: { readonly overview: Overview }) {
  const { webhooks, emails, emailsRetrying, exports } = overview.failures;
  return (
    <Card className="grid content-start gap-4 md:col-span-2">
      <h2 className="text-sm font-medium text-muted">Delivery</h2>
      <ul aria-label="Delivery" className="grid gap-3 text-sm">
        <Delivery
          count={webhooks}
          failed={`${pluralise(webhooks, "webhook")} failed in the last 7 days and not applied since. The card provider sends them again.`}
          fine="All webhooks of the last 7 days were applied."
        />
        <Delivery
          count={emails}
          failed={`${pluralise(emails, "email")} given up in the last 7 days.`}
          fine="No emails were given up in the last 7 days."
        />
        {emailsRetrying > 0 ? (
          <Delivery
            count={emailsRetrying}
            failed={`${pluralise(emailsRetrying, "email")} not accepted yet and tried again.`}
            fine=""
          />
        ) : null}
        <Delivery
          count={exports}
          failed={`${pluralise(exports, "data export")} failed in the last 7 days and not repeated since.`}
          fine="No data exports failed in the last 7 days."
        />
      </ul>
    </Card>
  );
}

function Delivery({
  count,
  failed,
  fine,
}: {
  readonly count: number;
  readonly failed: string;
  readonly fine: string;
}) {
  const Icon = count > 0 ? TriangleAlert : CircleCheck;
  return (
    <li className="flex items-start gap-2">
      <Icon
        aria-hidden
        className={
          count > 0 ? "mt-0.5 size-4 shrink-0 text-danger" : "mt-0.5 size-4 shrink-0 text-good"
        }
      />
      <span>{count > 0 ? failed : fine}</span>
    </li>
  );
}
