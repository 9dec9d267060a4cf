import { useQuery } from "@tanstack/react-query";
import { useSession } from "@/features/session/public.ts";
import { useBackend } from "@/lib/backend.tsx";
import { selectCounters } from "./api/select-counters.ts";
import { selectFigures } from "./api/select-figures.ts";

const patience = { retry: 2, retryDelay: 1000 } as const;

/** What the signed-in member has brought about. */
export function useFigures() {
  const { client } = useBackend();
  const { user } = useSession();
  const userId = user?.id ?? "";
  return useQuery({
    queryKey: ["dashboard-figures", userId],
    queryFn: () => selectFigures(client),
    enabled: userId !== "",
    ...patience,
  });
}

/** What the signed-in member has done towards the levels. */
export function useCounters() {
  const { client } = useBackend();
  const { user } = useSession();
  const userId = user?.id ?? "";
  return useQuery({
    queryKey: ["user-progress", userId],
    queryFn: () => selectCounters(client, userId),
    enabled: userId !== "",
    ...patience,
  });
}
