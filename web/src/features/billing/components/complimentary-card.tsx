import { longDate } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Card } from "@/ui/card.tsx";
import type { Complimentary } from "../model/complimentary.ts";
import type { Plan } from "../model/plan.ts";

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
        <h2 className="display text-xl">{plan?.name ?? "Membership"}</h2>
        <Badge colour="good">Complimentary</Badge>
      </div>
      <p className="text-muted">
        {complimentary.endsAt === null
          ? "We've given you this membership. It has no end date."
          : `We've given you this membership until ${longDate(complimentary.endsAt)}.`}{" "}
        You're not charged for it and it doesn't renew.
      </p>
    </Card>
  );
}
