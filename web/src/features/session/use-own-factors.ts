import { useQuery } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import { listFactors } from "./api/second-factor.ts";

/** The authenticator apps of the present account, read when they are needed. */
export function useOwnFactors(isNeeded: boolean) {
  const { client } = useBackend();
  return useQuery({
    queryKey: ["own-factors"],
    queryFn: () => listFactors(client),
    enabled: isNeeded,
    staleTime: 0,
  });
}
