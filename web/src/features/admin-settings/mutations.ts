import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { BackendClient } from "@/lib/backend-client.ts";
import { useBackend } from "@/lib/backend.tsx";
import { toast } from "@/ui/toast.tsx";
import { describeSettingError } from "./strings.ts";

/** Saves a setting. `save` says what was done and resolves to true, or keeps the reason in `issue`. */
export function useSaveSetting() {
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
      await queries.invalidateQueries();
      return true;
    } catch (error) {
      console.error("The setting was not saved", error);
      setIssue(describeSettingError(error));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { busy, issue, save };
}
