import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { toAppError } from "@/lib/errors.ts";
import {
  commissionPageSize,
  fetchAffiliate,
  fetchCommissions,
  fetchCoursesOnSale,
} from "./api/fetch-affiliate.ts";
import type { Commission } from "./model/affiliate.ts";

const affiliateKey = "affiliate";

/** Whether the database says that the link opens with a membership. */
export function needsMembership(error: unknown): boolean {
  return toAppError(error).code === "FF630";
}

/** The caller's link and its figures. */
export function useAffiliate() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [affiliateKey, userId],
    queryFn: () => fetchAffiliate(client),
    enabled: userId !== "",
    retry: (failures, error) => !needsMembership(error) && failures < 2,
  });
}

/** Courses that the caller's link can bring buyers to. */
export function useCoursesOnSale() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [affiliateKey, userId, "courses"],
    queryFn: () => fetchCoursesOnSale(client),
    enabled: userId !== "",
    retry: 2,
  });
}

/** The payments that earned, newest first, page by page. */
export function useCommissions() {
  const { client } = useBackend();
  const userId = useUserId();
  return useInfiniteQuery({
    queryKey: [affiliateKey, userId, "commissions"],
    queryFn: ({ pageParam }) => fetchCommissions(client, pageParam),
    initialPageParam: null as Commission | null,
    getNextPageParam: (page) => (page.length < commissionPageSize ? null : (page.at(-1) ?? null)),
    enabled: userId !== "",
    retry: 2,
  });
}
