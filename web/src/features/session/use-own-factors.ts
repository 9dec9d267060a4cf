import { useQuery } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import { listFactors } from "./api/second-factor.ts";
import { useSession } from "./session-provider.tsx";

/** The second factors of the present account, also of one that is about to sign in, read when they are needed. */
export function useOwnFactors(isNeeded: boolean) {
  const { client } = useBackend();
  const { user, pending } = useSession();
  return useQuery({
    queryKey: ["own-factors", (user ?? pending)?.id],
    queryFn: () => listFactors(client),
    enabled: isNeeded,
    staleTime: 0,
  });
}
