import { Badge } from "@/ui/badge.tsx";

/** Whether members see something. */
export function StatusBadge({
  shown,
  shownLabel,
  hiddenLabel,
}: {
  readonly shown: boolean;
  readonly shownLabel: string;
  readonly hiddenLabel: string;
}) {
  return <Badge colour={shown ? "good" : "plain"}>{shown ? shownLabel : hiddenLabel}</Badge>;
}
