import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { grantMembership } from "../api/actions.ts";
import { useRefreshMoney } from "../queries.ts";
import { planNames } from "../strings/codes.ts";
import { moneyFields } from "../strings/fields.ts";
import { grantFormStrings } from "../strings/grants.ts";
import { MoneyActionForm } from "./money-action-form.tsx";
import { actionProblemText } from "./action-problem-text.ts";

const plans = Object.entries(planNames).map(([value, label]) => ({ value, label }));

/** Gives the account with an e-mail address a plan without payment. */
export function GrantForm({ onDone }: { readonly onDone: () => void }) {
  const { client } = useBackend();
  const refresh = useRefreshMoney();
  const [email, setEmail] = useState("");
  const [plan, setPlan] = useState("student-access");
  const [until, setUntil] = useState("");
  const [issues, setIssues] = useState<{ email?: string; until?: string }>({});
  // The whole last day counts.
  const endsAt = until === "" ? null : Date.parse(`${until}T23:59:59Z`);

  function check(): boolean {
    const found = {
      ...(email.trim() === "" && { email: grantFormStrings.emailMissing }),
      ...(endsAt !== null && !(endsAt > Date.now()) && { until: grantFormStrings.lastDayWrong }),
    };
    setIssues(found);
    return Object.keys(found).length === 0;
  }

  async function act(reason: string): Promise<string | null> {
    const problem = await grantMembership(client, {
      email: email.trim(),
      planId: plan,
      endsAt,
      reason,
    });
    if (problem !== null) return actionProblemText(problem);
    toast.good(grantFormStrings.given(email.trim(), planNames[plan] ?? plan));
    refresh();
    onDone();
    return null;
  }

  return (
    <MoneyActionForm confirmLabel={grantFormStrings.confirm} check={check} act={act}>
      <TextField
        label={moneyFields.email}
        hint={grantFormStrings.emailHint}
        type="email"
        autoComplete="off"
        value={email}
        error={issues.email}
        onChange={(event) => {
          setEmail(event.target.value);
          setIssues({});
        }}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={moneyFields.plan}
          options={plans}
          value={plan}
          onChange={(event) => setPlan(event.target.value)}
        />
        <TextField
          label={grantFormStrings.lastDay}
          hint={grantFormStrings.lastDayHint}
          type="date"
          value={until}
          error={issues.until}
          onChange={(event) => {
            setUntil(event.target.value);
            setIssues({});
          }}
        />
      </div>
    </MoneyActionForm>
  );
}
