import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { fetchGuaranteeClaim } from "./api/guarantee-claim.ts";
import { fetchGuaranteeFigures } from "./api/guarantee-figures.ts";
import { fetchGuaranteeRecord } from "./api/guarantee-record.ts";

export const guaranteeKey = "guarantee";

/** The caller's record of the guarantee. */
export function useGuaranteeRecord() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [guaranteeKey, userId],
    queryFn: () => fetchGuaranteeRecord(client),
    enabled: userId !== "",
  });
}

/** How the claims of all members ended, for visitors too. */
export function useGuaranteeFigures() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [guaranteeKey, "figures"],
    queryFn: () => fetchGuaranteeFigures(client),
  });
}

/** The caller's claim; null when none was made. */
export function useGuaranteeClaim() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [guaranteeKey, userId, "claim"],
    queryFn: () => fetchGuaranteeClaim(client),
    enabled: userId !== "",
  });
}
