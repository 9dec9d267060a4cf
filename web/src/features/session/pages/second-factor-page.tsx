import { useState } from "react";
import { Button } from "@/ui/button.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { AuthPage } from "../components/auth-page.tsx";
import { RecoveryCodeForm, SecondFactorForm } from "../components/second-factor-form.tsx";
import { useSession } from "../session-provider.tsx";
import { secondFactorStepStrings, sessionStrings } from "../strings.ts";
import { codeTexts, secondFactorFormStrings } from "../strings/second-factor.ts";
import { useOwnFactors } from "../use-own-factors.ts";
import { useSecondFactor } from "../use-second-factor.tsx";

interface SecondFactorPageProps {
  readonly onDone?: () => void;
  readonly onCancel?: () => void;
}

/** Stands in place of a page until the second factor was shown; the page then opens where one was going. */
export function SecondFactorPage(props: SecondFactorPageProps) {
  const { pending } = useSession();
  const { isPending, isError } = useOwnFactors(true);
  if (!isPending) return <AskForFactor {...props} isUnknown={isError} />;
  return (
    <AuthPage title={secondFactorStepStrings.title} intro={pending?.email}>
      <Loading label={secondFactorStepStrings.loading} className="grid gap-4">
        <Skeleton className="h-11" />
        <Skeleton className="h-12" />
      </Loading>
    </AuthPage>
  );
}

function AskForFactor({
  isUnknown,
  onDone = () => undefined,
  onCancel = () => undefined,
}: SecondFactorPageProps & {
  /** True when it could not be found out what to ask for. */
  readonly isUnknown: boolean;
}) {
  const { pending, signOut } = useSession();
  const [recovering, setRecovering] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(
    isUnknown ? sessionStrings.codeFailed : null,
  );
  const request = useSecondFactor({
    texts: codeTexts,
    hasInitialFocus: true,
    onComplete: () => void show(),
  });
  const { way } = request;

  async function show() {
    if (isBusy) return;
    setProblem(null);
    if (!(await request.isComplete())) return;
    setBusy(true);
    const refusal = await request.prove();
    setBusy(false);
    setProblem(refusal);
    if (refusal === null) onDone();
  }

  const elsewhere = (
    <div className="flex flex-wrap justify-between gap-2">
      <Button
        variant="quiet"
        size="sm"
        onClick={() => {
          setRecovering(!recovering);
          setProblem(null);
        }}
      >
        {recovering
          ? secondFactorFormStrings.factorInstead[way]
          : secondFactorFormStrings.recoveryCodeInstead}
      </Button>
      <Button
        variant="quiet"
        size="sm"
        onClick={() => {
          void signOut();
          onCancel();
        }}
      >
        {secondFactorFormStrings.signOut}
      </Button>
    </div>
  );

  return (
    <AuthPage
      title={
        way === "key" && !recovering
          ? secondFactorFormStrings.keyTitle
          : secondFactorFormStrings.title
      }
      intro={pending?.email}
    >
      {recovering ? (
        <RecoveryCodeForm
          onDone={() => {
            toast.good(sessionStrings.factorRecovered);
            onDone();
          }}
        >
          {elsewhere}
        </RecoveryCodeForm>
      ) : (
        <SecondFactorForm
          request={request}
          problem={problem}
          isBusy={isBusy}
          onSubmit={() => void show()}
        >
          {elsewhere}
        </SecondFactorForm>
      )}
    </AuthPage>
  );
}
