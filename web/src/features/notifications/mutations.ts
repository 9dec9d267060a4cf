import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { refetchQueries } from "@/lib/query-cache.ts";
import { toast } from "@/ui/toast.tsx";
import { markBellRead } from "./api/mark-bell-read.ts";
import type { BellItem } from "./model/bell-page.ts";
import { bellKey } from "./queries.ts";
import { notificationStrings } from "./strings.ts";

/** Marks everything up to a line as read, or that line only. */
export function useMarkBellRead() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  return useMutation({
    mutationFn: ({ upTo, only }: { readonly upTo: BellItem; readonly only: boolean }) =>
      markBellRead(client, upTo, only),
    onSuccess: () => refetchQueries(queries, bellKey(userId)),
    onError: (error) => {
      console.error("Notifications were not marked as read", error);
      toast.danger(notificationStrings.markFailed);
    },
  });
}
