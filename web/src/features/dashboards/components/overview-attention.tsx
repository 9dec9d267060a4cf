import { ChevronRight, CircleCheck, TriangleAlert } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { queueTitles } from "@/features/moderation/index.ts";
import { formatCount } from "@/lib/format-count.ts";
import { timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import type { Overview } from "../model/overview.ts";
import { attentionStrings } from "../strings.ts";

/** What needs an administrator: each queue in which something waits, and what was not delivered; a line when there is nothing. */
export function NeedsAttention({ overview }: { readonly overview: Overview }) {
  const waiting = overview.queues.filter((each) => each.waiting > 0);
  const { webhooks, emails, emailsRetrying, exports } = overview.failures;
  const failures = [
    [webhooks, attentionStrings.webhooks],
    [emails, attentionStrings.emails],
    [emailsRetrying, attentionStrings.retrying],
    [exports, attentionStrings.exports],
  ] as const;
  const failed = failures.filter(([count]) => count > 0);
  if (waiting.length + failed.length === 0) {
    return (
      <p className="flex items-center gap-2 rounded-card border border-line bg-raised px-5 py-4">
        <CircleCheck aria-hidden className="size-5 shrink-0 text-good" />
        {attentionStrings.allDone}
      </p>
    );
  }
  return (
    <section aria-labelledby="needs-you" className="grid grid-cols-1 gap-3">
      <h2 id="needs-you" className="display text-xl">
        {attentionStrings.title}
      </h2>
      <div className="divide-y divide-line rounded-card border border-line bg-raised px-2 sm:px-3">
        {waiting.length === 0 ? null : <WaitingQueues queues={waiting} />}
        {failed.length === 0 ? null : (
          <ul aria-label={attentionStrings.delivery} className="grid gap-3 px-3 py-4 text-sm">
            {failed.map(([count, say]) => (
              <li key={say(count)} className="flex items-start gap-2">
                <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
                {say(count)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/** One below the other, each as wide as the page: one queue alone leaves no hole beside it. */
function WaitingQueues({ queues }: { readonly queues: Overview["queues"] }) {
  const now = useNow();
  return (
    <ul aria-label={attentionStrings.queuesLabel} className="divide-y divide-line">
      {queues.map(({ queue, waiting, oldestAt }) => (
        <li key={queue} className="py-1">
          <Link
            to={`${paths.adminQueues}?queue=${queue}`}
            className="flex min-h-12 items-center gap-4 rounded-control px-3 py-1.5 hover:bg-hover"
          >
            <span className="display tabular min-w-6 text-xl">{formatCount(waiting)}</span>
            <span className="grid min-w-0 grow gap-x-4 sm:grid-cols-[1fr_auto] sm:items-baseline">
              <span className="font-medium">{queueTitles[queue]}</span>
              {oldestAt === null ? null : (
                <span className="text-sm text-muted">
                  {attentionStrings.oldest(timeAgo(oldestAt, now))}
                </span>
              )}
            </span>
            <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
