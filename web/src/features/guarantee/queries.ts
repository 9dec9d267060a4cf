import { useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
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
