import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useProgress } from "@/features/levels/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { newId } from "@/lib/uuid.ts";
import { makePact, type NewPact } from "./api/make-pact.ts";
import { answerWitness, askWitnesses } from "./api/witnesses.ts";
import { pactKeys } from "./queries.ts";

async function readPactsAgain(queries: QueryClient, userId: string): Promise<void> {
  const keys = [pactKeys.mine(userId), pactKeys.all(userId)];
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
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
