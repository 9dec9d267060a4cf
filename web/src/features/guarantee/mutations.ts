import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { bellKey } from "@/features/notifications/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { refetchQueries } from "@/lib/query-cache.ts";
import { uploadBaselineDocument } from "./api/baseline-document.ts";
import { appealClaim, fileClaim } from "./api/guarantee-claim.ts";
import { recordBaseline, recordCheckIn } from "./api/guarantee-record.ts";
import { guaranteeKey } from "./queries.ts";

interface Start {
  readonly monthlyPence: number;
  readonly source: string;
  readonly document: File | null;
}

/** Writes down where the member starts, after its document was stored. The record is read again in any case. */
export function useRecordBaseline() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  // Trying again after a failure stores the file no second time.
  const stored = useRef<{ file: File; name: string } | null>(null);
  return useMutation({
    mutationFn: async ({ document, ...start }: Start) => {
      if (document !== null && stored.current?.file !== document) {
        const name = await uploadBaselineDocument(client, userId, document);
        stored.current = { file: document, name };
      }
      const documentName = document === null ? null : (stored.current?.name ?? null);
      await recordBaseline(client, { ...start, documentName });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [guaranteeKey] }),
  });
}

/** Writes down the income of the running month. The record is read again in any case, and the bell, which asked for it. */
export function useRecordCheckIn() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationFn: (monthlyPence: number) => recordCheckIn(client, monthlyPence),
    onSettled: async () => {
      refetchQueries(queries, bellKey(userId));
      await queries.invalidateQueries({ queryKey: [guaranteeKey] });
    },
  });
}

/** Makes the claim. It is read again in any case. */
export function useFileClaim() {
  const { client } = useBackend();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ monthlyPence, statement }: { monthlyPence: number; statement: string }) =>
      fileClaim(client, monthlyPence, statement),
    onSettled: () => queries.invalidateQueries({ queryKey: [guaranteeKey] }),
  });
}

/** Appeals against a declined claim. It is read again in any case. */
export function useAppealClaim() {
  const { client } = useBackend();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (appeal: string) => appealClaim(client, appeal),
    onSettled: () => queries.invalidateQueries({ queryKey: [guaranteeKey] }),
  });
}
