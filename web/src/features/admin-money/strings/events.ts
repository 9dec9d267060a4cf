import { pluralise } from "@/lib/format-count.ts";

export const failedEventsStrings = {
  title: "Failed events",
  loading: "Loading the events",
  loadFailed: "We couldn't load the events",
  emptyTitle: "No failed events",
  empty:
    "The payment provider sends failed events again automatically. Those that still fail appear here.",
  attempts: (count: number) => pluralise(count, "attempt"),
  retry: "Process again",
  retried: "The event was processed.",
  retryUnclear: "We don't know whether it was processed. Refresh.",
  clear: "Clear",
  clearNote:
    "This takes the event off the list without processing it. Clear it only when it changes nothing, such as for a customer who isn't ours.",
  clearConfirm: "Clear this event",
  cleared: "The event was cleared.",
} as const;
