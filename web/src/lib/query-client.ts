import { notifyManager, QueryClient } from "@tanstack/react-query";

/** A query that is repeated waits this long after each failure. */
const retryDelayMs = 1000;

// What is shown follows a click in the same frame: by default it waits for a timer, and a ticked box would show its old state meanwhile.
notifyManager.setScheduler(queueMicrotask);

/** One cache for the app. A query says itself how often it is repeated; by default it is not. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        retryDelay: retryDelayMs,
        staleTime: 30_000,
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  });
}
