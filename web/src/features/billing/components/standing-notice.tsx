import { Link } from "react-router";
import { brand } from "@/domain/brand.ts";
import { cardFormPath, paths, receiptPath } from "@/domain/paths.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { statusHint, statusNote } from "./format-subscription.ts";
import { nextStepOf } from "../model/next-step.ts";
import { isActive, type Subscription } from "../model/subscription.ts";
import { useInvoices } from "../queries.ts";
import { standingStrings } from "../strings/checkout.ts";
import { membershipStrings } from "../strings/membership.ts";

/** On `/paywall`: what happened to a membership that gives no access, and what sets it right. Nothing for newcomers. */
export function StandingNotice({ subscription }: { readonly subscription: Subscription | null }) {
  const note = subscription === null ? null : statusNote(subscription.status, subscription.hold);
  if (subscription === null || note === null || isActive(subscription)) return null;
  const step = nextStepOf(subscription);
  const hint = statusHint(subscription);
  return (
    <Alert
      className="mb-6"
      tone={step === "choose-plan" || step === "resume" ? "warn" : "danger"}
      title={note}
      action={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {step === "update-card" ? (
            <Button asChild size="sm">
              <Link to={cardFormPath}>{standingStrings.updateCard}</Link>
            </Button>
          ) : null}
          {step === "resume" ? (
            <Button asChild size="sm">
              <Link to={paths.subscriptions}>{membershipStrings.resume}</Link>
            </Button>
          ) : null}
          {step === "contact-support" ? (
            <Button asChild size="sm">
              <a href={`mailto:${brand.supportEmail}`}>{membershipStrings.contactSupport}</a>
            </Button>
          ) : null}
          <UnpaidInvoice />
          {step === "update-card" || step === "resume" ? null : (
            <TextLink to={paths.subscriptions}>{standingStrings.membership}</TextLink>
          )}
        </div>
      }
    >
      {hint === null ? null : <p>{hint}</p>}
      {step === "update-card" ? <p className="mt-1">{standingStrings.orNewPlan}</p> : null}
    </Alert>
  );
}

/** The way to the newest invoice that is still to be paid. */
function UnpaidInvoice() {
  const { data } = useInvoices();
  const open = data?.find(({ status }) => status === "open");
  if (open === undefined) return null;
  return <TextLink to={receiptPath(open.id)}>{standingStrings.unpaidInvoice}</TextLink>;
}
