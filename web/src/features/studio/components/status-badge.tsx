import { Badge } from "@/ui/badge.tsx";
import type { DraftStatus } from "../model/draft.ts";
import { draftStatusNames } from "../strings/names.ts";

const colours = {
  draft: "plain",
  submitted: "info",
  returned: "warn",
  scheduled: "info",
  published: "good",
  withdrawn: "plain",
  archived: "plain",
} as const satisfies Record<DraftStatus, string>;

/** Where a draft stands. */
export function DraftStatusBadge({ status }: { readonly status: DraftStatus }) {
  return <Badge colour={colours[status]}>{draftStatusNames[status]}</Badge>;
}
