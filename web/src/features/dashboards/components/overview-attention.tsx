import { CircleCheck, TriangleAlert } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { queueTitles } from "@/features/moderation/index.ts";
import { formatCount } from "@/lib/format-count.ts";
import { timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Card } from "@/ui/card.tsx";
import type { Overview } from "../model/overview.ts";
import { attentionStrings } from "../strings.ts";

/** The queues with how many wait and since when, each a link to it. */
export function QueueSummary({ overview }: { readonly overview: Overview }) {
  const now = useNow();
  return (
    <Card className="grid content-start gap-4">
      <h2 className="text-sm font-medium text-muted">{attentionStrings.queues}</h2>
      <ul aria-label={attentionStrings.queuesLabel} className="-my-2 divide-y divide-line">
        {overview.queues.map(({ queue, waiting, oldestAt }) => (
          <li key={queue}>
            <Link
              to={`${paths.adminQueues}?queue=${queue}`}
              className="grid min-h-12 grid-cols-[1fr_auto] items-center gap-4 rounded-control py-2 hover:bg-hover"
            >
              <span>
                <span className="block font-medium underline-offset-4">{queueTitles[queue]}</span>
                <span className="block text-sm text-muted">
                  {oldestAt === null
                    ? attentionStrings.empty
                    : attentionStrings.oldest(timeAgo(oldestAt, now))}
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
      <h2 className="text-sm font-medium text-muted">{attentionStrings.delivery}</h2>
      <ul aria-label={attentionStrings.delivery} className="grid gap-3 text-sm">
        <Delivery
          count={webhooks}
          failed={attentionStrings.webhooks(webhooks)}
          fine={attentionStrings.noWebhooks}
        />
        <Delivery
          count={emails}
          failed={attentionStrings.emails(emails)}
          fine={attentionStrings.noEmails}
        />
        {emailsRetrying > 0 ? (
          <Delivery
            count={emailsRetrying}
            failed={attentionStrings.retrying(emailsRetrying)}
            fine=""
          />
        ) : null}
        <Delivery
          count={exports}
          failed={attentionStrings.exports(exports)}
          fine={attentionStrings.noExports}
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
