import { useQuery } from "@tanstack/react-query";
import { useBackend } from "@/lib/backend.tsx";
import { fetchBusinessDetails, fetchLegalText } from "./api/legal-texts.ts";
import { fetchBillingRules } from "./api/billing-rules.ts";
import { fetchSellsYears } from "./api/sells-years.ts";
import { fetchVatSetting } from "./api/vat-setting.ts";
import type { LegalKind } from "./model/legal-text.ts";

const legalKey = ["legal"] as const;

/** A version of a legal text, or the one that is in force. */
export function useLegalText(kind: LegalKind, version: number | null = null) {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...legalKey, kind, version],
    queryFn: () => fetchLegalText(client, kind, version),
    retry: 2,
  });
}

/** Who sells here. */
export function useBusinessDetails() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...legalKey, "business"],
    queryFn: () => fetchBusinessDetails(client),
    retry: 2,
  });
}

/** Whether prices include VAT, and how. */
export function useVatSetting() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...legalKey, "vat"],
    queryFn: () => fetchVatSetting(client),
    retry: 2,
  });
}

/** What comes back after a withdrawal, and when members are told of a renewal. */
export function useBillingRules() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...legalKey, "rules"],
    queryFn: () => fetchBillingRules(client),
    retry: 2,
  });
}

/** Whether a membership can be paid by the year. */
export function useSellsYears() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...legalKey, "years"],
    queryFn: () => fetchSellsYears(client),
    retry: 2,
  });
}
