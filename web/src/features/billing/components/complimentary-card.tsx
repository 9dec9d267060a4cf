import { longDate } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Card } from "@/ui/card.tsx";
import type { Complimentary } from "../model/complimentary.ts";
import type { Plan } from "../model/plan.ts";
import { complimentaryStrings } from "../strings/membership.ts";

/** A membership without payment: which plan, until when, and that nothing is charged for it. */
export function ComplimentaryCard({
  complimentary,
  plans,
}: {
  readonly complimentary: Complimentary;
  readonly plans: readonly Plan[];
}) {
  const plan = plans.find(({ id }) => id === complimentary.planId);
  return (
    <Card className="grid gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="display text-xl">{plan?.name ?? complimentaryStrings.unknownPlan}</h2>
        <Badge colour="good">{complimentaryStrings.badge}</Badge>
      </div>
      <p className="text-muted">
        {complimentary.endsAt === null
          ? complimentaryStrings.openEnded
          : complimentaryStrings.until(longDate(complimentary.endsAt))}{" "}
        {complimentaryStrings.noCharge}
      </p>
    </Card>
  );
}
