import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { exactTime } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import { toast } from "@/ui/toast.tsx";
import { clearEvent, retryEvent } from "../api/actions.ts";
import { useFailedEvents, useRefreshMoney } from "../queries.ts";
import { failedEventsStrings } from "../strings/events.ts";
import { MoneyActionForm } from "./money-action-form.tsx";
import { actionProblemText } from "./action-problem-text.ts";

/** Events of the payment provider that could not be applied, each to be processed again. */
export function EventsView() {
  const { client } = useBackend();
  const { data, isError, isFetching, refetch } = useFailedEvents();
  const refresh = useRefreshMoney();
  const [busyId, setBusyId] = useState<string | null>(null);

  const [clearing, setClearing] = useState<string | null>(null);

  async function clear(id: string, reason: string): Promise<string | null> {
    const problem = await clearEvent(client, id, reason);
    if (problem === null) {
      setClearing(null);
      toast.good(failedEventsStrings.cleared);
    }
    refresh();
    return actionProblemText(problem);
  }

  async function retry(id: string) {
    setBusyId(id);
    const problem = await retryEvent(client, id);
    setBusyId(null);
    if (problem === null) toast.good(failedEventsStrings.retried);
    else {
      toast.danger(problem === "" ? failedEventsStrings.retryUnclear : problem);
    }
    refresh();
  }

  return (
    <QueueSection
      id="failed-events"
      title={failedEventsStrings.title}
      items={data}
      failed={isError}
      refreshing={isFetching}
      onRefresh={() => void refetch()}
      loadingLabel={failedEventsStrings.loading}
      failedTitle={failedEventsStrings.loadFailed}
      emptyTitle={failedEventsStrings.emptyTitle}
      emptyText={failedEventsStrings.empty}
    >
      {(event) => (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">{event.type}</p>
            <p className="text-sm wrap-anywhere text-muted">
              {exactTime(event.lastAt)} · {failedEventsStrings.attempts(event.attempts)} ·{" "}
              {event.error}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              size="sm"
              loading={busyId === event.id}
              disabled={busyId !== null}
              onClick={() => void retry(event.id)}
            >
              {failedEventsStrings.retry}
            </Button>
            <Button
              variant="secondary"
              size="sm"
              disabled={busyId !== null}
              onClick={() => setClearing(event.id)}
            >
              {failedEventsStrings.clear}
            </Button>
          </div>
          {clearing === event.id ? (
            <div className="grid w-full gap-2">
              <p className="text-sm">{failedEventsStrings.clearNote}</p>
              <MoneyActionForm
                confirmLabel={failedEventsStrings.clearConfirm}
                danger
                act={(reason) => clear(event.id, reason)}
              />
            </div>
          ) : null}
        </div>
      )}
    </QueueSection>
  );
}
