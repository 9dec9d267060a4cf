import { QueryClient } from "@tanstack/react-query";

/** A query that is repeated waits this long after each failure. */
const retryDelayMs = 1000;

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
