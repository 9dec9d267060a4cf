import { useState } from "react";
import { exactTime, longDate } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import type { FlaggedAccount } from "../api/flagged-accounts.ts";
import { useFlaggedAccounts } from "../queries.ts";
import { FlagDecisionForm } from "./flag-decision-form.tsx";

/** Accounts that wait for a decision of a person, and those whose form was kept closed, to be opened again. */
export function FlaggedQueue() {
  const { data, isError, isFetching, refetch } = useFlaggedAccounts();
  const [open, setOpen] = useState<FlaggedAccount | null>(null);
  const list = {
    failed: isError,
    refreshing: isFetching,
    onRefresh: () => void refetch(),
    loadingLabel: "Loading the accounts",
    failedTitle: "We couldn't load the accounts",
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
        title="Flagged accounts"
        items={data?.filter(({ closedAt }) => closedAt === null)}
        emptyTitle="No accounts to decide about"
        emptyText="Accounts appear here after five rejected documents, or when they pay for several memberships."
      />
      {closed && closed.length > 0 ? (
        <QueueSection
          {...list}
          id="kept-closed"
          title="Kept closed"
          countLabel="in all"
          items={closed}
          emptyTitle=""
          emptyText=""
        />
      ) : null}
      <Dialog
        open={open !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpen(null))}
        title={open ? `Decide about ${open.name || open.email}` : ""}
        description={
          open?.kind === "subscriptions"
            ? "End all but one of the subscriptions at the card provider first. Your decision is recorded with your name."
            : "The member can send five more documents, or none. Your decision is recorded with your name."
        }
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
          <Badge colour="warn">
            {account.kind === "subscriptions" ? "Several subscriptions" : "Five rejected documents"}
          </Badge>
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {account.kind === "rejections" && account.lastReason !== null ? (
            <>Last rejected: {account.lastReason} · </>
          ) : null}
          {account.closedAt === null
            ? exactTime(account.flaggedAt)
            : `Kept closed on ${longDate(account.closedAt)}`}
        </p>
        {account.subscriptions.length > 0 ? (
          <ul aria-label="Subscriptions" className="grid gap-0.5 text-sm">
            {account.subscriptions.map((each) => (
              <li key={each.id} className="wrap-anywhere">
                {each.plan}, {each.status.replaceAll("_", " ")}, since {longDate(each.since)}
                {each.isCurrent ? ", gives access" : ""}{" "}
                <span className="text-muted">({each.id})</span>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      <Button variant="secondary" size="sm" onClick={onDecide}>
        {account.closedAt === null ? "Decide" : "Open again"}
      </Button>
    </div>
  );
}
