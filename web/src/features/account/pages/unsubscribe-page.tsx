import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { paths } from "@/domain/paths.ts";
import { AuthPage } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { callFunction, textOf } from "@/lib/call-function.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { unsubscribeStrings } from "../strings.ts";

/** `/unsubscribe`: switches off one kind of e-mail by the signed link of such an e-mail, without signing in. */
export function UnsubscribePage() {
  const { client } = useBackend();
  const { search } = useLocation();
  const token = new URLSearchParams(search).get("token") ?? "";
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(
    token === "" ? unsubscribeStrings.unknown : null,
  );
  const [done, setDone] = useState<string | null>(null);

  async function switchOff() {
    setBusy(true);
    setProblem(null);
    const { status, body } = await callFunction(client, "unsubscribe", { token });
    setBusy(false);
    if (status === 200) setDone(textOf(body, "kind"));
    else setProblem(status === 404 ? unsubscribeStrings.unknown : unsubscribeStrings.failed);
  }

  if (done !== null) return <Done kind={done} />;
  return (
    <AuthPage title={unsubscribeStrings.title} intro={unsubscribeStrings.intro}>
      {problem === null ? null : (
        <Alert tone="warn" action={<ToAccount small />}>
          {problem}
        </Alert>
      )}
      <Button
        size="lg"
        wide
        loading={busy}
        disabled={token === ""}
        onClick={() => void switchOff()}
      >
        {unsubscribeStrings.button}
      </Button>
    </AuthPage>
  );
}

function Done({ kind }: { readonly kind: string }) {
  // The button that had the focus is gone.
  useEffect(() => document.getElementById("main")?.focus(), []);
  const texts: Readonly<Record<string, string>> = unsubscribeStrings.done;
  return (
    <AuthPage title={unsubscribeStrings.doneTitle}>
      <Alert tone="good">
        {texts[kind]} {unsubscribeStrings.rest}
      </Alert>
      <ToAccount />
    </AuthPage>
  );
}

function ToAccount({ small = false }: { readonly small?: boolean }) {
  return (
    <Button asChild variant="secondary" {...(small ? { size: "sm" } : { size: "lg", wide: true })}>
      <Link to={`${paths.account}#notifications`}>{unsubscribeStrings.toAccount}</Link>
    </Button>
  );
}
