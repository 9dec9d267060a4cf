import { useState } from "react";
import { exactTime, longDate } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import type { FlaggedAccount } from "../api/flagged-accounts.ts";
import { useFlaggedAccounts } from "../queries.ts";
import { flaggedQueueStrings, flagTexts } from "../strings.ts";
import { FlagDecisionForm } from "./flag-decision-form.tsx";

/** Accounts that wait for a decision of a person, and those whose form was kept closed, to be opened again. */
export function FlaggedQueue() {
  const { data, isError, isFetching, refetch } = useFlaggedAccounts();
  const [open, setOpen] = useState<FlaggedAccount | null>(null);
  const list = {
    failed: isError,
    refreshing: isFetching,
    onRefresh: () => void refetch(),
    loadingLabel: flaggedQueueStrings.loading,
    failedTitle: flaggedQueueStrings.loadFailed,
    children: (account: FlaggedAccount) => (
      <Flag account={account} onDecide={() => setOpen(account)} />
    ),
  };
  const closed = data?.filter(({ closedAt }) => closedAt !== null);
  return (
    <div className="grid grid-cols-1 gap-8">
      <QueueSection
        {...list}
        id="flagged-queue"
        title={flaggedQueueStrings.title}
        items={data?.filter(({ closedAt }) => closedAt === null)}
        emptyTitle={flaggedQueueStrings.emptyTitle}
        emptyText={flaggedQueueStrings.emptyText}
      />
      {closed && closed.length > 0 ? (
        <QueueSection
          {...list}
          id="kept-closed"
          title={flaggedQueueStrings.closedTitle}
          countLabel={flaggedQueueStrings.closedCount}
          items={closed}
          emptyTitle=""
          emptyText=""
        />
      ) : null}
      <Dialog
        open={open !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpen(null))}
        title={open ? flaggedQueueStrings.decideTitle(open.name || open.email) : ""}
        description={flagTexts[open?.kind ?? "rejections"].decision}
      >
        {open ? (
          <FlagDecisionForm key={open.id} account={open} onClose={() => setOpen(null)} />
        ) : null}
      </Dialog>
    </div>
  );
}

function Flag({
  account,
  onDecide,
}: {
  readonly account: FlaggedAccount;
  readonly onDecide: () => void;
}) {
  return (
    <div
      data-flagged
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3"
    >
      <div className="grid min-w-0 grid-cols-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium wrap-anywhere">{account.name || account.email}</span>
          <Badge colour="warn">{flagTexts[account.kind].name}</Badge>
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {account.kind === "rejections" && account.lastReason !== null
            ? flaggedQueueStrings.lastRejected(account.lastReason)
            : null}
          {account.closedAt === null
            ? exactTime(account.flaggedAt)
            : flaggedQueueStrings.closedOn(longDate(account.closedAt))}
        </p>
        {account.subscriptions.length > 0 ? (
          <ul aria-label={flaggedQueueStrings.subscriptions} className="grid gap-0.5 text-sm">
            {account.subscriptions.map((each) => (
              <li key={each.id} className="wrap-anywhere">
                {flaggedQueueStrings.subscription(
                  each.plan ?? flaggedQueueStrings.otherPlan,
                  each.status.replaceAll("_", " "),
                  longDate(each.since),
                  each.isCurrent,
                )}
                <span className="text-muted">({each.id})</span>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      <Button variant="secondary" size="sm" onClick={onDecide}>
        {account.closedAt === null ? flaggedQueueStrings.decide : flaggedQueueStrings.openAgain}
      </Button>
    </div>
  );
}
