import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import { brand } from "@/domain/brand.ts";
import { dashboardOf, paths } from "@/domain/paths.ts";
import { AuthPage, useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { useActivation } from "../queries.ts";

/** Time to read that the membership is active. Milliseconds. */
export const redirectAfterActivationMs = 3000;

/** `/success`: waits until the payment has become a membership, then leads on. */
export function SuccessPage() {
  const { user, loading, role, onboardingComplete, refreshProfile } = useSession();
  const { active, unreachable } = useActivation();
  const navigate = useNavigate();
  useRestoredSession(user === null && !loading);

  const target = onboardingComplete ? dashboardOf[role] : paths.onboarding;

  /* Paying for the mentor plan changes the role on the server. */
  useEffect(() => {
    if (active) void refreshProfile();
  }, [active, refreshProfile]);

  /* The target may still change when the role arrives; the three seconds do not start again. */
  const leave = useEffectEvent(() => void navigate(target));
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => leave(), redirectAfterActivationMs);
    return () => clearTimeout(timer);
  }, [active]);

  return (
    <AuthPage title="Payment Successful" intro={`Thank you, and welcome to ${brand.name}.`}>
      <div aria-live="polite" className="grid gap-2">
        <p className="text-lg font-medium">
          {active ? "Your membership is active." : "We are activating your membership…"}
        </p>
        <p className="text-muted">
          {active
            ? "You'll be redirected in a moment."
            : "This usually takes a few seconds. Keep this page open. It continues automatically."}
        </p>
      </div>
      <ProgressBar
        className={active ? undefined : "animate-[breathe_1.6s_ease-in-out_infinite]"}
        label="Activation"
        value={active ? 100 : 50}
        valueText={active ? "Active" : "Waiting for confirmation"}
      />
      {unreachable && !active ? (
        <Alert tone="info">
          We can't reach the server right now. Your payment is safe and we'll keep trying.
        </Alert>
      ) : null}
      <Button size="lg" wide onClick={() => void navigate(target)}>
        {active ? "Continue" : "Continue Anyway"}
      </Button>
    </AuthPage>
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
