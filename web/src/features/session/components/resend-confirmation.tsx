import { useState } from "react";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { browserStorage } from "@/lib/browser-storage.ts";
import { systemClock } from "@/lib/clock.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { resendConfirmation, type ResendRefusal } from "../api/resend-confirmation.ts";
import { renewAskedLink } from "../model/asked-links.ts";
import { confirmEmailStrings, sessionStrings } from "../strings.ts";

type Outcome = { tone: "good" | "warn"; message: string };

/** Sends the confirmation link again. The answer is the same whether an account waits for it or not. */
export function ResendConfirmation({ email }: { readonly email: string }) {
  const { client } = useBackend();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  async function resend() {
    setBusy(true);
    setOutcome(null);
    const target = window.location.origin + paths.onboarding;
    const refusal = await resendConfirmation(client, email, target, browserStorage);
    if (refusal === null) renewAskedLink(() => browserStorage, email, systemClock.now());
    setOutcome(
      refusal === null
        ? { tone: "good", message: sessionStrings.resent }
        : { tone: "warn", message: resendText(refusal) },
    );
    setBusy(false);
  }

  return (
    <div className="grid gap-3">
      <Button variant="secondary" wide loading={busy} onClick={() => void resend()}>
        {confirmEmailStrings.resend}
      </Button>
      {outcome === null ? null : <Alert tone={outcome.tone}>{outcome.message}</Alert>}
    </div>
  );
}

function resendText(refusal: ResendRefusal): string {
  return "waitSeconds" in refusal
    ? sessionStrings.resendTooSoon(refusal.waitSeconds)
    : refusalText(refusal, sessionStrings);
}
