import { QueryClient } from "@tanstack/react-query";

/** One cache for the app. Retries are decided per query, since each has its own reason. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
}
