import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { useSession, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { fetchComplimentary } from "./api/fetch-complimentary.ts";
import { fetchInvoice, fetchInvoices, fetchInvoiceRefunds } from "./api/fetch-invoices.ts";
import { fetchOwnPrice, fetchPlans } from "./api/fetch-plans.ts";
import { fetchSubscription } from "./api/fetch-subscription.ts";
import { fetchBuyerDetails, fetchVatDocuments } from "./api/vat-documents.ts";
import { fetchWithdrawalRight } from "./api/withdrawal.ts";
import { isRunning } from "./model/complimentary.ts";
import type { Invoice } from "./model/invoice.ts";
import {
  automaticRetryCount,
  loadSubscription,
  manualRetryCount,
} from "./model/load-subscription.ts";
import { graceEnd, isActive, type Subscription } from "./model/subscription.ts";

/** How often `/success` asks for the subscription until it is active. */
export const activationPollMs = 2000;

export const billingKeys = {
  plans: ["plans"],
  ownPrice: (userId: string, priceId: string) => ["own-price", userId, priceId],
  invoices: (userId: string) => ["invoices", userId],
  vatDocuments: (userId: string) => ["vat-documents", userId],
  buyerDetails: (userId: string) => ["buyer-details", userId],
  withdrawal: (userId: string) => ["withdrawal-right", userId],
  subscription: (userId: string) => ["subscription", userId],
  confirmation: (userId: string) => ["plan-switch-confirmation", userId],
  complimentary: (userId: string) => ["complimentary-membership", userId],
  activation: (userId: string) => ["subscription-activation", userId],
} as const;

/** The plans on sale. They change rarely, so they are fetched once per visit. */
export function usePlans() {
  const { client } = useBackend();
  return useQuery({
    queryKey: billingKeys.plans,
    queryFn: () => fetchPlans(client),
    staleTime: Infinity,
    retry: 2,
  });
}

/** What the member pays, where that isn't on sale any more. */
export function useOwnPrice(priceId: string | null, { enabled }: { readonly enabled: boolean }) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: billingKeys.ownPrice(userId, priceId ?? ""),
    queryFn: () => fetchOwnPrice(client),
    enabled: enabled && userId !== "" && priceId !== null,
    staleTime: Infinity,
    retry: 2,
  });
}

/** The member's invoices, newest first. */
export function useInvoices() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: billingKeys.invoices(userId),
    queryFn: () => fetchInvoices(client),
    enabled: userId !== "",
    retry: 2,
  });
}

/** One invoice; null when the member has none with this id. */
export function useInvoice(id: string) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...billingKeys.invoices(userId), id],
    queryFn: () => fetchInvoice(client, id),
    enabled: userId !== "",
    retry: 2,
  });
}

/** The refunds of an invoice of which something came back; with their days. */
export function useInvoiceRefunds({ id, amountRefundedPence }: Invoice) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...billingKeys.invoices(userId), id, "refunds", amountRefundedPence],
    queryFn: () => fetchInvoiceRefunds(client, id),
    enabled: userId !== "" && amountRefundedPence > 0,
    retry: 2,
  });
}

/** The member's VAT invoices, credit notes and debit notes, newest first. */
export function useVatDocuments() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: billingKeys.vatDocuments(userId),
    queryFn: () => fetchVatDocuments(client),
    enabled: userId !== "",
    retry: 2,
  });
}

/** What the member wants on VAT invoices. */
export function useBuyerDetails({ enabled }: { readonly enabled: boolean }) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: billingKeys.buyerDetails(userId),
    queryFn: () => fetchBuyerDetails(client),
    enabled: enabled && userId !== "",
    retry: 2,
  });
}

/** The membership that the member was given without payment; null without one. */
export function useComplimentary({ enabled = true } = {}) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: billingKeys.complimentary(userId),
    queryFn: () => fetchComplimentary(client),
    enabled: enabled && userId !== "",
    staleTime: Infinity,
    retry: 2,
  });
}

/** Until when the member can withdraw from the membership, and what comes back; null without a right to. */
export function useWithdrawalRight() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: billingKeys.withdrawal(userId),
    queryFn: () => fetchWithdrawalRight(client),
    enabled: userId !== "",
    retry: 2,
  });
}

export interface SubscriptionView {
  /** `ready` also when there is no subscription; `failed` when the request failed. */
  readonly status: "loading" | "ready" | "failed";
  readonly subscription: Subscription | null;
  /** A subscription, its grace after a failed payment, or a complimentary membership gives access. */
  readonly active: boolean;
  /** Clears the cached answer and fetches it with more retries, also while there is none. */
  readonly refresh: () => Promise<Subscription | null>;
}

/** The signed-in member's subscription. Administrators have none and need none. */
export function useSubscription(): SubscriptionView {
  const { client } = useBackend();
  const { role } = useSession();
  const queries = useQueryClient();
  const userId = useUserId();
  const query = useQuery({
    queryKey: billingKeys.subscription(userId),
    queryFn: async ({ signal }) => {
      const queryKey = billingKeys.subscription(userId);
      // "None so far" is shown at once. It never replaces an answer that another request has stored in the meantime.
      const stored = () => queries.getQueryData<Subscription | null>(queryKey) ?? null;
      const found = await loadSubscription(() => fetchSubscription(client, userId), systemClock, {
        retries: automaticRetryCount,
        onMissing: () => queries.setQueryData(queryKey, stored()),
        signal,
      });
      return found ?? stored();
    },
    enabled: userId !== "" && role !== "admin",
    staleTime: Infinity,
    gcTime: Infinity,
  });
  useEffect(() => {
    // It was asked for together with the profile that says who is an administrator.
    if (role === "admin") {
      void queries.cancelQueries({ queryKey: billingKeys.subscription(userId) });
    }
  }, [role, queries, userId]);
  const refresh = useCallback(async () => {
    const queryKey = billingKeys.subscription(userId);
    // Cancelling an automatic check takes back the answer it has shown so far.
    const shown = queries.getQueryData<Subscription | null>(queryKey);
    await queries.cancelQueries({ queryKey });
    if (shown !== undefined) queries.setQueryData(queryKey, shown);
    queries.removeQueries({ queryKey, type: "inactive" });
    const found = await loadSubscription(() => fetchSubscription(client, userId), systemClock, {
      retries: manualRetryCount,
    });
    queries.setQueryData(queryKey, found);
    void queries.invalidateQueries({ queryKey: billingKeys.invoices(userId) });
    // What comes back follows from what was paid, which a switch of plan or a new card may have changed.
    void queries.invalidateQueries({ queryKey: billingKeys.withdrawal(userId) });
    void queries.invalidateQueries({ queryKey: billingKeys.complimentary(userId) });
    return found;
  }, [client, queries, userId]);
  const subscription = query.data ?? null;
  const isPaid = isActive(subscription);
  // Paying members are not asked about another way in.
  const isAsked = role !== "admin" && query.data !== undefined && !isPaid;
  const given = useComplimentary({ enabled: isAsked });
  // The page may have asked for the other way in by itself, so its answer says nothing of the subscription's.
  const isReady =
    role === "admin" || isPaid || (query.data !== undefined && given.data !== undefined);
  const isFailed =
    (query.isError && query.data === undefined) || (given.isError && given.data === undefined);
  const status = isReady ? "ready" : isFailed ? "failed" : "loading";
  const now = systemClock.now();
  const active =
    isPaid ||
    graceEnd(subscription, now) !== null ||
    (isAsked && isRunning(given.data ?? null, now));
  return { status, subscription, active, refresh };
}

/** How often a switch of plan is looked for after the server has accepted it. */
const confirmationAttempts = 30;

/** Reads the subscription again and again until a switch of plan shows. True once it has given up. */
export function useSwitchConfirmation(isWaiting: boolean): boolean {
  const { refresh } = useSubscription();
  const userId = useUserId();
  const { data, errorUpdateCount } = useQuery({
    queryKey: billingKeys.confirmation(userId),
    queryFn: async ({ client, queryKey }) => {
      await refresh();
      return (client.getQueryData<number>(queryKey) ?? 0) + 1;
    },
    enabled: isWaiting,
    refetchInterval: ({ state }) =>
      (state.data ?? 0) + state.errorUpdateCount < confirmationAttempts ? activationPollMs : false,
    networkMode: "always",
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  return isWaiting && (data ?? 0) + errorUpdateCount >= confirmationAttempts;
}

export interface Activation {
  /** Undefined until it was read. */
  readonly subscription: Subscription | null | undefined;
  /** The latest request failed. Polling goes on. */
  readonly unreachable: boolean;
}

/** Polls until the membership is active, and updates the cached subscription. */
export function useActivation(): Activation {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const { data, isError } = useQuery({
    queryKey: billingKeys.activation(userId),
    queryFn: () => fetchSubscription(client, userId),
    enabled: userId !== "",
    refetchInterval: (query) => (isActive(query.state.data ?? null) ? false : activationPollMs),
    refetchIntervalInBackground: true,
    networkMode: "always",
    staleTime: 0,
  });
  useEffect(() => {
    if (data !== undefined) queries.setQueryData(billingKeys.subscription(userId), data);
  }, [data, queries, userId]);
  return { subscription: data, unreachable: isError };
}
