import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useProgress } from "@/features/levels/index.ts";
import { bellKey } from "@/features/notifications/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { refetchQueries } from "@/lib/query-cache.ts";
import { newId } from "@/lib/uuid.ts";
import { makePact, type NewPact } from "./api/make-pact.ts";
import { answerWitness, askWitnesses } from "./api/witnesses.ts";
import { pactKeys } from "./queries.ts";

/** Also the bell, which counts what waits for the member: what was answered no longer does. */
async function readPactsAgain(queries: QueryClient, userId: string): Promise<void> {
  refetchQueries(queries, bellKey(userId));
  await Promise.all([
    queries.invalidateQueries({ queryKey: pactKeys.all(userId) }),
    // They are below the bell's key and being read already.
    queries.invalidateQueries({ queryKey: pactKeys.mine(userId) }, { cancelRefetch: false }),
  ]);
}

/** Makes a pact. Rejects on failure; trying the same again makes no second one. */
export function useMakePact(): (pact: Omit<NewPact, "id">) => Promise<void> {
  const { client } = useBackend();
  const { refresh } = useProgress();
  const queries = useQueryClient();
  const userId = useUserId();
  const last = useRef({ id: newId(), said: "" });
  return async (pact) => {
    const said = JSON.stringify(pact);
    if (last.current.said !== said) last.current = { id: newId(), said };
    await makePact(client, { ...pact, id: last.current.id });
    void refresh();
    void readPactsAgain(queries, userId);
  };
}

/** Asking and answering. Both reject on failure; the pacts are read again in any case. */
export function useWitnessActions() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();

  async function thenRead(act: Promise<void>): Promise<void> {
    try {
      await act;
    } finally {
      await readPactsAgain(queries, userId);
    }
  }

  return {
    ask: (pactId: string, memberIds: readonly string[]) =>
      thenRead(askWitnesses(client, pactId, memberIds)),
    answer: (pactId: string, accepts: boolean) => thenRead(answerWitness(client, pactId, accepts)),
  };
}

/** Reads the pacts again, after one was closed. */
export function useRefreshPacts(): () => void {
  const queries = useQueryClient();
  const userId = useUserId();
  return () => void readPactsAgain(queries, userId);
}
