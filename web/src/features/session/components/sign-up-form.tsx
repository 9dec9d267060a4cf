import { useState, type FormEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { chosenPlanIn, withChosenPlan } from "@/domain/chosen-plan.ts";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock, waitFor } from "@/lib/clock.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { createAccount } from "../api/create-account.ts";
import { createStripeCustomer } from "../api/create-stripe-customer.ts";
import { insertProfile } from "../api/insert-profile.ts";
import { getSessionUserId } from "../api/read-session-user.ts";
import { sessionStrings } from "../strings.ts";
import { emailIssue } from "../model/email-address.ts";
import { signUp, type SignUpOutcome } from "../model/sign-up.ts";
import { explainOnEnter, isAcceptable, NewPasswordFields } from "./new-password-fields.tsx";

/** How long the message about a taken address stays before the way to sign-in. */
const duplicateRedirectMs = 2000;

const emptyPassword = { password: "", confirmation: "" };

/** Creates an account and leads on to the plans. `onConfirm` is called when an e-mail must be answered first. */
export function SignUpForm({ onConfirm }: { readonly onConfirm: (email: string) => void }) {
  const { client } = useBackend();
  const navigate = useNavigate();
  const plan = chosenPlanIn(useLocation().search);
  const [email, setEmail] = useState("");
  const [emailLeft, setEmailLeft] = useState(false);
  const [newPassword, setNewPassword] = useState(emptyPassword);
  const [attempted, setAttempted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<SignUpOutcome | null>(null);
  const usable = isAcceptable(newPassword);
  const emailProblem = emailIssue(email);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setAttempted(true);
    if (!usable || emailProblem !== undefined || busy) return;
    setBusy(true);
    setOutcome(null);
    const result = await signUp(
      {
        createAccount: (address, password) =>
          createAccount(client, address, password, window.location.origin + paths.onboarding),
        getSessionUserId: () => getSessionUserId(client),
        insertProfile: (userId) => insertProfile(client, userId),
      },
      systemClock,
      email.trim(),
      newPassword.password,
    );
    setOutcome(result);
    await follow(result);
    setBusy(false);
  }

  async function follow(result: SignUpOutcome): Promise<void> {
    switch (result.kind) {
      case "created":
        toast.good(sessionStrings.signUpDone);
        await createStripeCustomer(client);
        clearFields();
        await navigate(withChosenPlan(paths.paywall, plan));
        return;
      case "already-registered":
        await waitFor(systemClock, duplicateRedirectMs);
        await navigate(withChosenPlan(paths.signIn, plan), { state: { email: email.trim() } });
        return;
      case "confirm-email":
        onConfirm(email.trim());
        return;
      case "failed":
        return;
    }
  }

  function clearFields() {
    setEmail("");
    setNewPassword(emptyPassword);
    setAttempted(false);
    setEmailLeft(false);
  }

  const problem =
    outcome?.kind === "failed" || outcome?.kind === "already-registered" ? outcome : null;

  const explain = explainOnEnter(usable, () => setAttempted(true));

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      {problem === null ? null : (
        <Alert tone={problem.kind === "failed" ? "danger" : "warn"}>{problem.message}</Alert>
      )}
      <TextField
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        onKeyDown={explain}
        onBlur={() => setEmailLeft(email !== "")}
        error={attempted || emailLeft ? emailProblem : undefined}
      />
      <NewPasswordFields
        value={newPassword}
        onChange={setNewPassword}
        attempted={attempted}
        onKeyDown={explain}
      />
      <Button type="submit" size="lg" wide loading={busy} disabled={!usable}>
        Create account
      </Button>
    </form>
  );
}
