import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import { fetchClaims } from "./api/claims.ts";
import { retryAdminQuery } from "@/lib/second-factor-due.ts";
import { fetchCodes } from "./api/codes.ts";
import {
  fetchDisputes,
  fetchFailedEvents,
  fetchGrants,
  fetchMoneyFigures,
  fetchPayoutsDue,
  fetchRefundEffect,
  fetchRefunds,
  fetchUnfinishedRefunds,
} from "./api/fetch-money.ts";
import { fetchPayments, paymentsPageSize, type PaymentFilters } from "./api/fetch-payments.ts";
import type { Payment } from "./model/payment.ts";

/** Begins the key of everything about money. */
export const moneyKey = "admin-money";

/** Money of this month, and what waits for attention. */
export function useMoneyFigures() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [moneyKey, "figures"],
    queryFn: () => fetchMoneyFigures(client),
    retry: retryAdminQuery,
  });
}

/** Payments, newest first, page by page. */
export function usePayments(filters: PaymentFilters) {
  const { client } = useBackend();
  return useInfiniteQuery({
    queryKey: [moneyKey, "payments", filters],
    queryFn: ({ pageParam }) => fetchPayments(client, filters, pageParam),
    initialPageParam: null as Payment | null,
    getNextPageParam: (page) => (page.length < paymentsPageSize ? null : (page.at(-1) ?? null)),
    placeholderData: keepPreviousData,
    retry: retryAdminQuery,
  });
}

/** The latest refunds. */
export function useRefunds() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [moneyKey, "refunds"],
    queryFn: () => fetchRefunds(client),
    retry: retryAdminQuery,
  });
}

/** Refunds whose end is not known. */
export function useUnfinishedRefunds() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [moneyKey, "unfinished-refunds"],
    queryFn: () => fetchUnfinishedRefunds(client),
    retry: retryAdminQuery,
  });
}

/** What a refund of the whole payment ends. */
export function useRefundEffect(paymentId: string) {
  const { client } = useBackend();
  return useQuery({
    queryKey: [moneyKey, "refund-effect", paymentId],
    queryFn: () => fetchRefundEffect(client, paymentId),
    retry: retryAdminQuery,
  });
}

/** The latest disputes. */
export function useDisputes() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [moneyKey, "disputes"],
    queryFn: () => fetchDisputes(client),
    retry: retryAdminQuery,
  });
}

/** Events of the card provider that could not be applied. */
export function useFailedEvents() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [moneyKey, "events"],
    queryFn: () => fetchFailedEvents(client),
    retry: retryAdminQuery,
  });
}

/** Coupons and trial codes. */
export function useCodes() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [moneyKey, "codes"],
    queryFn: () => fetchCodes(client),
    retry: retryAdminQuery,
  });
}

/** Memberships without payment. */
export function useGrants() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [moneyKey, "grants"],
    queryFn: () => fetchGrants(client),
    retry: retryAdminQuery,
  });
}

/** What is owed to affiliates. */
export function usePayoutsDue() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [moneyKey, "payouts"],
    queryFn: () => fetchPayoutsDue(client),
    retry: retryAdminQuery,
  });
}

/** Claims under the guarantee that wait. */
export function useClaims() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [moneyKey, "claims"],
    queryFn: () => fetchClaims(client),
    retry: retryAdminQuery,
  });
}

/** Returns a function that reads everything about money again, after an act. */
export function useRefreshMoney(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: [moneyKey] });
}
