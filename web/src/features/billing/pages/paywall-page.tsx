import { useState, type MouseEvent } from "react";
import { Navigate, useLocation, useNavigate } from "react-router";
import { chosenPlanIn, withChosenPlan, type ChosenPlan } from "@/domain/chosen-plan.ts";
import { dashboardOf, paths } from "@/domain/paths.ts";
import { useClaimReferral } from "@/features/affiliates/index.ts";
import { AuthPage, ClosedPageAlert, useSession } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { paywallStrings } from "../strings/checkout.ts";
import { billingStrings } from "../strings/payment.ts";
import { usePlans, useSubscription } from "../queries.ts";
import { Checkout } from "../components/checkout.tsx";
import { StandingNotice } from "../components/standing-notice.tsx";

/** `/paywall`: choose a plan and pay for it. A member who has already paid is redirected. */
export function PaywallPage() {
  const { user, signOut } = useSession();
  const { data: plans } = usePlans();
  const hasYearly = plans?.some(({ interval }) => interval === "year") === true;
  useClaimReferral();
  const chosen = chosenPlanIn(useLocation().search) ?? user?.chosenPlan ?? null;
  const back = withChosenPlan(paths.auth, chosen);
  const navigate = useNavigate();

  /** Members are sent from /auth back to this page, with an empty form. */
  function leave(event: MouseEvent) {
    if (user === null) return;
    event.preventDefault();
    void signOut().finally(() => void navigate(back));
  }

  return (
    <AuthPage
      width="wide"
      title={paywallStrings.title}
      intro={hasYearly ? paywallStrings.introYearly : paywallStrings.intro}
      footer={
        <div className="flex flex-wrap items-center justify-between gap-3">
          <TextLink to={back} onClick={leave}>
            {user === null ? paywallStrings.back : paywallStrings.signOutAndBack}
          </TextLink>
          {user ? (
            <span className="flex flex-wrap items-center gap-3">
              <span className="min-w-0 break-words">
                {paywallStrings.signedInAs(user.email ?? "")}
              </span>
              <TextLink to={paths.yourCourses}>{paywallStrings.yourCourses}</TextLink>
              <TextLink to={paths.gifts}>{paywallStrings.gifts}</TextLink>
            </span>
          ) : null}
        </div>
      }
    >
      <ClosedPageAlert />
      <PaywallBody chosen={chosen} />
    </AuthPage>
  );
}

function PaywallBody({ chosen }: { readonly chosen: ChosenPlan | null }) {
  const { user, loading, role, onboardingComplete, signOut } = useSession();
  const subscription = useSubscription();
  const plans = usePlans();
  const navigate = useNavigate();
  const [signedOut, setSignedOut] = useState(false);
  const [paying, setPaying] = useState(false);
  /** Once a payment failed here, the form says so itself, and what is read later must not move it. */
  const [hasTried, setHasTried] = useState(false);

  if (signedOut || (user === null && !loading)) {
    return (
      <Alert
        tone="warn"
        action={
          <Button
            size="sm"
            onClick={() => {
              // A session the server rejects would only lead back here.
              void signOut().finally(() => void navigate(paths.signIn));
            }}
          >
            {paywallStrings.signIn}
          </Button>
        }
      >
        {billingStrings.signInFirst}
      </Alert>
    );
  }
  // A payment that is under way leads on by itself, to /success.
  if ((subscription.active && !paying) || role === "admin") {
    const onward = onboardingComplete || role === "admin" ? dashboardOf[role] : paths.onboarding;
    return <Navigate to={onward} replace />;
  }
  if (subscription.status === "failed" || plans.isError) {
    return (
      <LoadFailed
        title={plans.isError ? paywallStrings.plansFailed : paywallStrings.subscriptionFailed}
        reassurance={paywallStrings.reassurance}
        busy={false}
        onRetry={() => {
          if (plans.isError) void plans.refetch();
          if (subscription.status === "failed") {
            void subscription.refresh().catch(() => undefined);
          }
        }}
      />
    );
  }
  const [first, ...rest] = plans.data ?? [];
  if (plans.data && !first) {
    return <Alert tone="info">{paywallStrings.noPlans}</Alert>;
  }
  if (!first || subscription.status === "loading") return <PaywallSkeleton />;
  // A second membership beside a paused one would be refused.
  if (subscription.subscription?.hold === "paused") {
    return <StandingNotice subscription={subscription.subscription} />;
  }
  const isSaid = hasTried && subscription.subscription?.status === "incomplete_expired";
  return (
    <>
      {paying || isSaid ? null : <StandingNotice subscription={subscription.subscription} />}
      <Checkout
        plans={[first, ...rest]}
        initialPlan={chosen}
        onPaying={(now) => {
          setPaying(now);
          if (now) setHasTried(true);
        }}
        onSignedOut={() => setSignedOut(true)}
      />
    </>
  );
}

function PaywallSkeleton() {
  return (
    <Loading label={paywallStrings.loading} className="grid gap-6">
      <div className="grid gap-4 md:grid-cols-2">
        <Skeleton className="h-72 rounded-card" />
        <Skeleton className="h-72 rounded-card" />
      </div>
      <div className="grid gap-1.5">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-11" />
      </div>
      <div className="flex justify-between gap-4 border-t border-line pt-5">
        <Skeleton className="h-12 w-32" />
        <Skeleton className="h-12 w-40" />
      </div>
      <Skeleton className="h-32" />
    </Loading>
  );
}
