import { useState, type FormEvent } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { useComplimentary } from "@/features/billing/index.ts";
import { useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { retryLaterMessage } from "@/lib/errors.ts";
import { longDate } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { redeemGift } from "../api/gifts.ts";
import { giftStrings } from "../strings.ts";
import type { Redemption } from "../model/gift.ts";

/** The field for a code, and what it opened. */
export function RedeemGift() {
  const { client } = useBackend();
  const { refreshProfile } = useSession();
  const { refetch } = useComplimentary();
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [redeemed, setRedeemed] = useState<Extract<Redemption, { kind: "redeemed" }> | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (code.trim() === "") {
      setProblem(giftStrings.codeMissing);
      return;
    }
    setBusy(true);
    setProblem(null);
    try {
      const answer = await redeemGift(client, code);
      if (answer.kind === "redeemed") {
        // No subscription comes of a gift, so none is waited for.
        await Promise.allSettled([refetch(), refreshProfile()]);
        setRedeemed(answer);
      } else setProblem(giftStrings.refusals[answer.kind]);
    } catch (error) {
      setProblem(retryLaterMessage(error) ?? giftStrings.redeemFailed);
    }
    setBusy(false);
  }

  return (
    <Card className="grid gap-4">
      <div className="grid gap-1">
        <h2 className="display text-xl">{giftStrings.redeemTitle}</h2>
        <p className="max-w-prose text-muted">{giftStrings.redeemIntro}</p>
      </div>
      {redeemed === null ? (
        <form
          className="grid max-w-md justify-items-start gap-4"
          noValidate
          onSubmit={(event) => void submit(event)}
        >
          <TextField
            label={giftStrings.code}
            error={problem ?? undefined}
            fieldClassName="w-full"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={60}
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
          <Button type="submit" variant="secondary" loading={busy}>
            {giftStrings.redeem}
          </Button>
        </form>
      ) : (
        <Alert
          tone="good"
          action={
            <Button asChild size="sm">
              <Link to={paths.dashboard}>{giftStrings.onward}</Link>
            </Button>
          }
        >
          {giftStrings.redeemed(redeemed.plan, longDate(redeemed.endsAt))}
        </Alert>
      )}
    </Card>
  );
}
