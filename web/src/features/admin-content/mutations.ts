import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type BackendClient } from "@/lib/backend-client.ts";
import { useBackend } from "@/lib/backend.tsx";
import { toast } from "@/ui/toast.tsx";
import { describeSaveError } from "./strings.ts";

/**
 * Saves a change of content. `save` says what was done and resolves to true, or keeps the reason in `issue` and
 * resolves to false. Everything that was read is read again, because members' pages show the same content.
 */
export function useSaveContent() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [issue, setIssue] = useState<string | null>(null);

  async function save(
    change: (client: BackendClient) => Promise<void>,
    done: string,
  ): Promise<boolean> {
    setBusy(true);
    setIssue(null);
    try {
      await change(client);
      toast.good(done);
      void queries.invalidateQueries();
      return true;
    } catch (error) {
      console.error("The change was not saved", error);
      setIssue(describeSaveError(error));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { busy, issue, save };
}
