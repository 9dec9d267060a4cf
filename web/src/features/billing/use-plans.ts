import { useQuery } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import { selectPlans } from "./api/select-plans.ts";

/** The plans on sale. They change so rarely that one reading lasts for the visit. */
export function usePlans() {
  const { client } = useBackend();
  return useQuery({
    queryKey: ["plans"],
    queryFn: () => selectPlans(client),
    staleTime: Infinity,
    retry: 2,
  });
}
