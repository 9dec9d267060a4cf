import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { selectFigures } from "./api/select-figures.ts";

/** What the signed-in member has brought about. */
export function useFigures() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: ["dashboard-figures", userId],
    queryFn: () => selectFigures(client),
    enabled: userId !== "",
    retry: 2,
  });
}
