import { useEffect, useEffectEvent } from "react";
import { Link, useNavigate } from "react-router";
import { dashboardOf, paths } from "@/domain/paths.ts";
import { AuthPage, useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { statusNote } from "../components/format-subscription.ts";
import { nextStepOf } from "../model/next-step.ts";
import { paymentResultOf } from "../model/payment-result.ts";
import type { Subscription } from "../model/subscription.ts";
import { useActivation } from "../queries.ts";
import { paymentResultHeadings, successStrings } from "../strings/checkout.ts";

/** Time to read that the membership is active. Milliseconds. */
export const redirectAfterActivationMs = 3000;

/** `/success`: waits until the payment has become a membership, then leads on; or says why it has not. */
export function SuccessPage() {
  const { user, loading, role, onboardingComplete, refreshProfile } = useSession();
  const { subscription, unreachable } = useActivation();
  const result = paymentResultOf(subscription);
  const active = result === "paid" || result === "trial";
  const navigate = useNavigate();
  useRestoredSession(user === null && !loading);

  const target = onboardingComplete ? dashboardOf[role] : paths.onboarding;

  // Paying for the mentor plan changes the role on the server.
  useEffect(() => {
    if (active) void refreshProfile();
  }, [active, refreshProfile]);

  // The target may still change when the role arrives; the three seconds do not start again.
  const leave = useEffectEvent(() => void navigate(target));
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => leave(), redirectAfterActivationMs);
    return () => clearTimeout(timer);
  }, [active]);

  return (
    <AuthPage {...paymentResultHeadings[result]}>
      {result === "none" || result === "not-active" ? (
        <NotPaid subscription={subscription ?? null} />
      ) : (
        <Waiting active={active} />
      )}
      {unreachable && !active ? <Alert tone="info">{successStrings.unreachable}</Alert> : null}
      <Button
        size="lg"
        wide
        variant={result === "none" || result === "not-active" ? "secondary" : "primary"}
        onClick={() => void navigate(target)}
      >
        {active ? successStrings.next : successStrings.nextAnyway}
      </Button>
    </AuthPage>
  );
}

function Waiting({ active }: { readonly active: boolean }) {
  return (
    <>
      <div aria-live="polite" className="grid gap-2">
        <p className="text-lg font-medium">
          {active ? successStrings.isActive : successStrings.activating}
        </p>
        <p className="text-muted">
          {active ? successStrings.redirecting : successStrings.keepOpen}
        </p>
        {active ? <p className="text-muted">{successStrings.guarantee}</p> : null}
        {active ? null : (
          <p className="text-muted">
            {successStrings.payAgain.before}
            <TextLink to={paths.paywall}>{successStrings.payAgain.link}</TextLink>
            {successStrings.payAgain.after}
          </p>
        )}
      </div>
      <ProgressBar
        className={active ? undefined : "animate-[breathe_1.6s_ease-in-out_infinite]"}
        label={successStrings.activation}
        value={active ? 100 : 50}
        valueText={active ? successStrings.active : successStrings.waiting}
      />
    </>
  );
}

/** What happened instead of a payment, and the one next step. */
function NotPaid({ subscription }: { readonly subscription: Subscription | null }) {
  const note = subscription === null ? null : statusNote(subscription.status, subscription.hold);
  const needsPlan = subscription === null || nextStepOf(subscription) === "choose-plan";
  return (
    <div aria-live="polite" className="grid gap-4">
      <p>{note ?? successStrings.notPaid}</p>
      <Button asChild size="lg" wide>
        <Link to={needsPlan ? paths.paywall : paths.subscriptions}>
          {needsPlan ? successStrings.viewPlans : successStrings.membership}
        </Link>
      </Button>
    </div>
  );
}

/** Tries to bring a lost session back; without one there is nothing to wait for. */
function useRestoredSession(lost: boolean): void {
  const { client } = useBackend();
  const navigate = useNavigate();
  useEffect(() => {
    if (!lost) return;
    let gone = false;
    const leave = () => {
      if (!gone) void navigate(paths.auth, { replace: true });
    };
    client.auth.refreshSession().then(({ data }) => {
      if (data.session === null) leave();
    }, leave);
    return () => {
      gone = true;
    };
  }, [lost, client, navigate]);
}
