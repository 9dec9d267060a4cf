import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { RequirementKind } from "@/domain/level-progress.ts";
import { useBackend } from "@/lib/backend.tsx";
import { retryAdminQuery } from "@/lib/second-factor-due.ts";
import { fetchEmails, type EmailDraft } from "./api/email-texts.ts";
import { fetchLandingSettings } from "./api/landing-settings.ts";
import { fetchPlanOverview } from "./api/fetch-plan-overview.ts";
import { previewRequirement } from "./api/level-requirement.ts";

export const settingsKey = ["settings"] as const;

/** What a new figure would mean; nothing is asked while it is not a figure. */
export function useRequirementPreview(level: number, kind: RequirementKind, needed: number | null) {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...settingsKey, "requirement", level, kind, needed],
    queryFn: () => previewRequirement(client, level, kind, needed ?? 0),
    enabled: needed !== null,
    placeholderData: keepPreviousData,
    retry: retryAdminQuery,
  });
}

/** The plans and the link to the card provider. */
export function usePlanOverview() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...settingsKey, "plans"],
    queryFn: () => fetchPlanOverview(client),
    retry: retryAdminQuery,
  });
}

/** The landing page's words, and what stands there by the word of its author. */
export function useLandingSettings() {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...settingsKey, "landing"],
    queryFn: () => fetchLandingSettings(client),
    retry: retryAdminQuery,
  });
}

/** Every e-mail, with a draft of one of them in place of what is saved. */
export function useEmails(draft?: EmailDraft) {
  const { client } = useBackend();
  return useQuery({
    queryKey: [...settingsKey, "emails", draft ?? null],
    queryFn: () => fetchEmails(client, draft),
    placeholderData: keepPreviousData,
    retry: retryAdminQuery,
  });
}
