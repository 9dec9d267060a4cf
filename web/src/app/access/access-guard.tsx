import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useEffect, useLayoutEffect, useState } from "react";
import { matchPath, Outlet, useLocation, useNavigate, useNavigation } from "react-router";
import { parseClosedPage, useSession, type ClosedPage } from "@/features/session/index.ts";
import {
  asksForCardForm,
  chosenPlanIn,
  withChoiceIn,
  withChosenPlan,
} from "@/domain/chosen-plan.ts";
import { paths } from "@/domain/paths.ts";
import { systemClock } from "@/lib/clock.ts";
import { holdsUnsavedText } from "@/lib/unsaved-text.ts";
import { dropPaintedFrame, LoadingPage, LoadingShell } from "../loading-page.tsx";
import { UnavailablePage } from "../unavailable-page.tsx";
import { closedPage } from "./closed-page.ts";
import { decideAccess } from "./decide-access.ts";
import { OwnText, textAt } from "./own-text.tsx";
import { createRedirectThrottle, type RedirectThrottle } from "./redirect-throttle.ts";
import { isInShell, requirementOf, type AccessRequirement } from "./requirements.ts";
import { SuppressedRedirectPage } from "./suppressed-redirect-page.tsx";
import { useViewer } from "./use-viewer.ts";

const FirstFactorPage = lazy(() => import("@/features/account/pages/first-factor-page.tsx"));
const SecondFactorPage = lazy(async () => ({
  default: (await import("@/features/session/pages/second-factor-page.tsx")).SecondFactorPage,
}));

interface GrantedAccess {
  readonly pathname: string;
  readonly userId: string | null;
}

/**
 * Stands before every page. Once a member was let in, the page stays while a fact is merely being
 * looked up again, and a sign-in form stays until it itself leads on, so that its messages are
 * read and an administrator's check is not cut short. The choice between the forms is left as soon
 * as another tab has signed in.
 */
export function AccessGuard() {
  const { pathname, search, state, key } = useLocation();
  const viewer = useViewer();
  const { user, pending, refreshProfile, signOut } = useSession();
  const queries = useQueryClient();
  const userId = user?.id ?? null;
  const [granted, setGranted] = useState<GrantedAccess | null>(null);
  const [gate] = useState(() => createRedirectThrottle(systemClock));

  const decision = decideAccess(pathname, viewer);
  const allows = decision.kind === "allow";
  // What a store says is drawn in one task, and here that is the whole house: opened a moment later, it is drawn in parts of
  // a few milliseconds.
  const opens = useDeferredValue(allows);
  const isOpening = allows && !opens;
  const isShown = decision.kind !== "wait" && !isOpening;
  useLayoutEffect(() => {
    if (isShown) dropPaintedFrame();
  }, [isShown]);
  // The address stays, so that the page one was going to opens once the code was entered.
  if (pending !== null && decision.kind === "redirect" && decision.to === paths.auth) {
    return (
      <Suspense fallback={<LoadingPage />}>
        <SecondFactorPage />
      </Suspense>
    );
  }
  const samePage = granted?.pathname === pathname;
  const sameVisitor = granted?.userId === userId;
  if (allows && !isOpening && !(samePage && sameVisitor)) {
    setGranted({ pathname, userId });
  }

  const required = requirementOf(pathname).kind;
  // Another user gets a new page: nothing a page holds passes from one account to the next.
  const page = <Outlet key={required === "open" || required === "auth-page" ? "public" : userId} />;
  if (allows && !isOpening) return page;
  if (samePage && required === "auth-page" && !isChoice(pathname)) return page;
  if (decision.kind === "first-factor") {
    return (
      <Suspense fallback={<LoadingPage />}>
        <FirstFactorPage />
      </Suspense>
    );
  }
  // A membership that ends under a page takes no words with it: the page says why it can't save them, and asks before it is left.
  if (samePage && sameVisitor && userId !== null && holdsUnsavedText()) return page;
  if (decision.kind === "redirect") {
    const to = withPlanFrom(search, decision.to);
    // Who signs out on a page has not asked for it.
    const signedOut = samePage && decision.to === paths.auth;
    const closed = signedOut ? null : closedPage(pathname, decision.to, parseClosedPage(state));
    // Another arrival is another redirect, also before the page of the one before was drawn.
    const redirect = <Redirect key={key} to={to} from={required} closed={closed} gate={gate} />;
    const text = closed?.kind === "level" ? textAt(pathname) : null;
    if (text === null) return redirect;
    return (
      <OwnText key={pathname} text={text} otherwise={redirect}>
        {page}
      </OwnText>
    );
  }
  if (samePage && sameVisitor) return page;
  if (decision.kind === "wait" || isOpening) {
    return userId !== null && isInShell(pathname) ? <LoadingShell /> : <LoadingPage />;
  }
  return (
    <UnavailablePage
      onRetry={() => {
        void refreshProfile();
        void queries.refetchQueries({ type: "active" });
      }}
      onSignOut={() => void signOut()}
    />
  );
}

function isChoice(pathname: string): boolean {
  return matchPath(paths.auth, pathname) !== null;
}

/** Keeps the plan chosen on the front page on the way to the checkout, and a link to the card form on the way to signing in. */
function withPlanFrom(search: string, to: string): string {
  if (to === paths.auth && asksForCardForm(search)) return withChoiceIn(search, to);
  const leadsToCheckout = to === paths.paywall || to === paths.auth;
  return leadsToCheckout ? withChosenPlan(to, chosenPlanIn(search)) : to;
}

function Redirect({
  to,
  from,
  closed,
  gate,
}: {
  readonly to: string;
  readonly from: AccessRequirement["kind"];
  /** What the page it leads to says of the one that was asked for. */
  readonly closed: ClosedPage | null;
  readonly gate: RedirectThrottle;
}) {
  const navigate = useNavigate();
  const leaving = useNavigation().state !== "idle";
  // As a text, which stays the same from one drawing to the next.
  const reason = closed === null ? null : JSON.stringify({ closedPage: closed });
  const [suppressed, setSuppressed] = useState<string | null>(null);
  useEffect(() => {
    if (!gate.request(to)) return systemClock.after(0, () => setSuppressed(to));
    void navigate(to, { replace: true, state: reason === null ? null : JSON.parse(reason) });
    return undefined;
  }, [to, reason, gate, navigate]);
  // While the code of the target is still loading, the redirect that was granted is under way.
  return suppressed === to && !leaving ? (
    <SuppressedRedirectPage to={to} from={from} />
  ) : (
    <LoadingPage />
  );
}
