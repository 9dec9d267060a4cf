import { Badge } from "@/ui/badge.tsx";
import type { PactOutcome } from "../model/pact.ts";
import { outcomeNames } from "../strings.ts";

const colours = { success: "good", failure: "danger", progress_report: "info" } as const;

/** What became of a pact, in one word. */
export function OutcomeBadge({ outcome }: { readonly outcome: PactOutcome }) {
  return <Badge colour={colours[outcome]}>{outcomeNames[outcome]}</Badge>;
}
