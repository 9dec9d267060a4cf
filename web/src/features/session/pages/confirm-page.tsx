import { useEffect, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { withChoiceIn } from "@/domain/chosen-plan.ts";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { browserStorage } from "@/lib/browser-storage.ts";
import { systemClock } from "@/lib/clock.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { openEmailLink, type OpenedEmailLink } from "../api/open-email-link.ts";
import { AuthPage } from "../components/auth-page.tsx";
import { ResendConfirmation } from "../components/resend-confirmation.tsx";
import { forgetAskedLink, readAskedLink, type AskedLink } from "../model/asked-links.ts";
import { emailLinkIn, type EmailLink } from "../model/email-link.ts";
import {
  authLinkStrings,
  confirmLinkStrings,
  resetPasswordStrings,
  sessionStrings,
} from "../strings.ts";

const refusalTexts = {
  accountSuspended: sessionStrings.accountSuspended,
  linkFailed: confirmLinkStrings.failed,
} as const;

type Shown = Exclude<OpenedEmailLink, { kind: "signed-in" }>;

const storage = () => browserStorage;

/**
 * `/confirm`: where the links of account e-mails lead. Showing the page does nothing, so that programs which look at
 * links before their reader does use none up; the button opens the link, on whatever device.
 */
export function ConfirmPage() {
  const { client, config } = useBackend();
  const { search } = useLocation();
  const navigate = useNavigate();
  // The address loses the link once it was opened.
  const [link] = useState(() => emailLinkIn(search));
  const [asked] = useState(() => readAskedLink(storage, systemClock.now()));
  const [busy, setBusy] = useState(false);
  const [opened, setOpened] = useState<Shown | null>(null);

  async function open(chosen: EmailLink) {
    const { backend } = config;
    if (backend === null) return;
    setBusy(true);
    setOpened(null);
    const result = await openEmailLink(client, backend, chosen, asked);
    setBusy(false);
    if (result.kind === "signed-in") {
      forgetAskedLink(storage);
      await followLink(chosen);
      return;
    }
    setOpened(result);
    if (result.kind !== "failed") await navigate(paths.confirm, { replace: true });
  }

  async function followLink({ type }: EmailLink) {
    const isForPassword = type === "recovery" || type === "invite";
    const next = isForPassword ? paths.updatePassword : (asked?.next ?? paths.onboarding);
    // An invited account has no password that could be asked for.
    await navigate(next, { replace: true, state: type === "invite" ? { invited: true } : null });
  }

  if (link === null) {
    return (
      <AuthPage title={confirmLinkStrings.incompleteTitle}>
        <Alert tone="warn">{confirmLinkStrings.incomplete}</Alert>
        <SignInButton />
      </AuthPage>
    );
  }
  const { title, intro, button } = confirmLinkStrings.kinds[link.type];
  if (opened === null || opened.kind === "failed") {
    return (
      <AuthPage title={title} intro={intro}>
        {opened === null ? null : <Alert tone="danger">{refusalText(opened, refusalTexts)}</Alert>}
        <Button size="lg" wide loading={busy} onClick={() => void open(link)}>
          {button}
        </Button>
      </AuthPage>
    );
  }
  return <Outcome opened={opened} link={link} asked={asked} />;
}

function Outcome({
  opened,
  link,
  asked,
}: {
  readonly opened: Exclude<Shown, { kind: "failed" }>;
  readonly link: EmailLink;
  readonly asked: AskedLink | null;
}) {
  // The button that had the focus is gone.
  useEffect(() => document.getElementById("main")?.focus(), []);
  switch (opened.kind) {
    case "confirmed":
      return (
        <AuthPage title={confirmLinkStrings.confirmedTitle}>
          <Alert tone="good">
            {authLinkStrings.confirmed} {authLinkStrings.signIn}
          </Alert>
          <SignInButton asked={asked} />
        </AuthPage>
      );
    case "email-changed":
      return (
        <AuthPage title={confirmLinkStrings.confirmedTitle}>
          <Alert tone="good">{confirmLinkStrings.changed(opened.email)}</Alert>
          <Button asChild size="lg" wide>
            <Link to={paths.account}>{confirmLinkStrings.toAccount}</Link>
          </Button>
        </AuthPage>
      );
    case "awaiting-other-inbox":
      return (
        <AuthPage title={confirmLinkStrings.halfWayTitle}>
          <Alert tone="info">{authLinkStrings.halfWay}</Alert>
        </AuthPage>
      );
    case "other-account":
      return (
        <AuthPage title={confirmLinkStrings.otherAccountTitle}>
          <Alert tone="warn">
            {confirmLinkStrings.otherAccount(link.type === "signup")}{" "}
            {authLinkStrings.stillSignedIn(opened.signedInAs)}
          </Alert>
          <Button asChild size="lg" wide>
            <Link to={paths.studentDashboard}>{confirmLinkStrings.goOn}</Link>
          </Button>
        </AuthPage>
      );
    case "expired":
      return (
        <AuthPage title={confirmLinkStrings.expiredTitle}>
          <Alert tone="warn">
            {confirmLinkStrings.expired} {confirmLinkStrings.afterExpiry[link.type]}
          </Alert>
          <NewLink link={link} asked={asked} />
        </AuthPage>
      );
  }
}

/** The way to another link of the kind. */
function NewLink({ link, asked }: { readonly link: EmailLink; readonly asked: AskedLink | null }) {
  switch (link.type) {
    case "recovery":
    case "invite":
      return (
        <Button asChild size="lg" wide>
          <Link to={paths.resetPassword}>{resetPasswordStrings.sendNew}</Link>
        </Button>
      );
    case "email_change":
      return (
        <Button asChild size="lg" wide>
          <Link to={paths.account}>{confirmLinkStrings.toAccount}</Link>
        </Button>
      );
    case "signup":
      return (
        <>
          {asked === null ? null : <ResendConfirmation email={asked.email} />}
          <SignInButton asked={asked} />
        </>
      );
  }
}

/** Leads to the sign-in, with the plan that was chosen in this browser. */
function SignInButton({ asked = null }: { readonly asked?: AskedLink | null }) {
  const [, query = ""] = (asked?.next ?? "").split("?");
  return (
    <Button asChild size="lg" wide>
      <Link to={withChoiceIn(query, paths.signIn)}>{confirmLinkStrings.signIn}</Link>
    </Button>
  );
}
