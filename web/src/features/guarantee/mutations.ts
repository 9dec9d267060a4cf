import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import { recordBaseline, recordCheckIn } from "./api/guarantee-record.ts";
import { guaranteeKey } from "./queries.ts";

/** Writes down where the member starts. The record is read again in any case. */
export function useRecordBaseline() {
  const { client } = useBackend();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ monthlyPence, source }: { monthlyPence: number; source: string }) =>
      recordBaseline(client, monthlyPence, source),
    onSettled: () => queries.invalidateQueries({ queryKey: [guaranteeKey] }),
  });
}

/** Writes down the income of the running month. The record is read again in any case. */
export function useRecordCheckIn() {
  const { client } = useBackend();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (monthlyPence: number) => recordCheckIn(client, monthlyPence),
    onSettled: () => queries.invalidateQueries({ queryKey: [guaranteeKey] }),
  });
}
