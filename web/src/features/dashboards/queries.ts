import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchAdminFigures } from "./api/fetch-admin-figures.ts";
import { fetchFigures } from "./api/fetch-figures.ts";

/** The signed-in member's figures. */
export function useFigures() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: ["dashboard-figures", userId],
    queryFn: () => fetchFigures(client),
    enabled: userId !== "",
    retry: 2,
  });
}

/** The figures of the whole community, for administrators. */
export function useAdminFigures() {
  const { client } = useBackend();
  return useQuery({
    queryKey: ["admin-figures"],
    queryFn: () => fetchAdminFigures(client),
    retry: 2,
  });
}
