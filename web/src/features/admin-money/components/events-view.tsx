import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { pluralise } from "@/lib/format-count.ts";
import { exactTime } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import { toast } from "@/ui/toast.tsx";
import { clearEvent, retryEvent } from "../api/acts.ts";
import { useFailedEvents, useRefreshMoney } from "../queries.ts";
import { MoneyActForm } from "./money-act-form.tsx";

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
      toast.good("The event was cleared.");
    }
    refresh();
    return problem;
  }

  async function retry(id: string) {
    setBusyId(id);
    const problem = await retryEvent(client, id);
    setBusyId(null);
    if (problem === null) toast.good("The event was processed.");
    else {
      toast.danger(problem === "" ? "We don't know whether it was processed. Refresh." : problem);
    }
    refresh();
  }

  return (
    <QueueSection
      id="failed-events"
      title="Failed events"
      items={data}
      failed={isError}
      refreshing={isFetching}
      onRefresh={() => void refetch()}
      loadingLabel="Loading the events"
      failedTitle="We couldn't load the events"
      emptyTitle="No failed events"
      emptyText="The payment provider sends failed events again by itself. What still fails waits here."
    >
      {(event) => (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">{event.type}</p>
            <p className="text-sm wrap-anywhere text-muted">
              {exactTime(event.lastAt)} · {pluralise(event.attempts, "attempt")} · {event.error}
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
              Process again
            </Button>
            <Button
              variant="secondary"
              size="sm"
              disabled={busyId !== null}
              onClick={() => setClearing(event.id)}
            >
              Clear
            </Button>
          </div>
          {clearing === event.id ? (
            <div className="grid w-full gap-2">
              <p className="text-sm">
                This takes the event off the list without processing it. Clear it only when it
                changes nothing, such as for a customer who isn't ours.
              </p>
              <MoneyActForm
                confirmLabel="Clear this event"
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
