import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { BackendClient } from "./backend-client.ts";
import { useBackend } from "./backend.tsx";

/**
 * Saves what a panel edits. `save` resolves to true and hands `done`, which may depend on the answer, to `onSaved`, or
 * keeps the reason in `issue` and resolves to false. Everything that was read is read again: members' pages show what
 * administrators change.
 */
export function useSave({
  describeError,
  onSaved,
}: {
  readonly describeError: (error: unknown) => string;
  readonly onSaved: (done: string) => void;
}) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [issue, setIssue] = useState<string | null>(null);

  async function save<Answer>(
    change: (client: BackendClient) => Promise<Answer>,
    done: string | ((answer: Answer) => string),
  ): Promise<boolean> {
    setBusy(true);
    setIssue(null);
    try {
      const answer = await change(client);
      onSaved(typeof done === "string" ? done : done(answer));
      void queries.invalidateQueries();
      return true;
    } catch (error) {
      console.error("The change was not saved", error);
      setIssue(describeError(error));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { busy, issue, save };
}
