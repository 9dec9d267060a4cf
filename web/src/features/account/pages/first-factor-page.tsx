import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  AuthPage,
  requestPasswordLink,
  useSession,
  sessionStrings,
} from "@/features/session/index.ts";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { knowsPasskeys } from "@/lib/passkey-support.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { toast } from "@/ui/toast.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { generateRecoveryCodes } from "../api/second-factor.ts";
import { AddSecurityKey } from "../components/add-security-key.tsx";
import { RecoveryCodes } from "../components/recovery-codes.tsx";
import { SetUpSecondFactor } from "../components/set-up-second-factor.tsx";
import { firstFactorStrings, secondFactorStrings } from "../strings.ts";
import { keyFactorStrings } from "../strings/security-keys.ts";

/**
 * Stands in place of every page of an administrator without a second factor. Once it is set up and its recovery codes
 * are saved, the page opens that was asked for.
 */
export default function FirstFactorPage() {
  const { client, config } = useBackend();
  const { user, firstFactor, refreshProfile } = useSession();
  const queries = useQueryClient();
  const [isKey, setIsKey] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  async function open() {
    await refreshProfile();
    // What was refused until now.
    await queries.refetchQueries({ type: "active" });
  }

  async function finish() {
    toast.good(secondFactorStrings.done);
    try {
      setCodes(await generateRecoveryCodes(client));
    } catch (error) {
      // The account page offers them again.
      console.error("The recovery codes could not be made", error);
      await open();
    }
  }

  if (codes !== null) {
    return (
      <AuthPage title={firstFactorStrings.codesTitle} intro={user?.email}>
        <RecoveryCodes codes={codes} onSaved={() => void open()} />
      </AuthPage>
    );
  }
  return (
    <AuthPage title={firstFactorStrings.title} intro={user?.email} footer={<WaysOut />}>
      {firstFactor === "open-link" ? (
        <SendLink email={user?.email ?? ""} />
      ) : (
        <>
          <p className="text-sm text-muted">
            {config.securityKeys ? keyFactorStrings.firstFactor : firstFactorStrings.setUp}
          </p>
          {isKey ? (
            <AddSecurityKey onDone={() => void finish()} onCancel={() => setIsKey(false)} />
          ) : (
            <>
              <SetUpSecondFactor onDone={() => void finish()} />
              {config.securityKeys && knowsPasskeys() ? (
                <Button variant="secondary" onClick={() => setIsKey(true)}>
                  {keyFactorStrings.add}
                </Button>
              ) : null}
            </>
          )}
        </>
      )}
    </AuthPage>
  );
}

/** Has a link for a new password sent: it shows that the mailbox is theirs. */
function SendLink({ email }: { readonly email: string }) {
  const { client } = useBackend();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function send() {
    setBusy(true);
    setProblem(null);
    const target = window.location.origin + paths.updatePassword;
    const refusal = await requestPasswordLink(client, email, target);
    setBusy(false);
    setProblem(refusal && refusalText(refusal, sessionStrings));
    setSent(refusal === null);
  }

  return (
    <>
      <p className="text-sm text-muted">{firstFactorStrings.openLink}</p>
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {sent ? (
        <Alert tone="good" title={firstFactorStrings.sentTitle}>
          {firstFactorStrings.sent(email)}
        </Alert>
      ) : (
        <Button size="lg" wide loading={busy} onClick={() => void send()}>
          {firstFactorStrings.send}
        </Button>
      )}
    </>
  );
}

function WaysOut() {
  const { signOut } = useSession();
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <TextLink to={paths.updatePassword}>{firstFactorStrings.changePassword}</TextLink>
      <Button variant="quiet" size="sm" onClick={() => void signOut()}>
        {firstFactorStrings.signOut}
      </Button>
    </div>
  );
}
