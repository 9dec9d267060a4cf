import { useState } from "react";
import { paths } from "@/domain/paths.ts";
import { LazyProviderButtons, useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { useNow } from "@/lib/use-now.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { toast } from "@/ui/toast.tsx";
import { deleteAccount } from "../api/delete-account.ts";
import { deleteAccountStrings } from "../strings/deletion.ts";

/** How long a sign-in at a provider stands for a password; the server takes a little more. */
const recentSignInMs = 9 * 60_000;

/** For an account that only a provider opens: asks for another sign-in there, then for no more than a press. */
export default function DeletionWithoutPassword({ onKeep }: { readonly onKeep: () => void }) {
  const { client, config } = useBackend();
  const { user, signOut } = useSession();
  const now = useNow();
  const [problem, setProblem] = useState<string | null>(null);
  const [isDeleting, setIsDeleting] = useState(false);
  const providers = config.signInProviders.filter((name) => user?.providers?.includes(name));
  const isRecent = now - (user?.signedInAt ?? 0) < recentSignInMs;

  async function remove() {
    setIsDeleting(true);
    setProblem(null);
    const refusal = await deleteAccount(client, null);
    setIsDeleting(false);
    if (refusal !== null) {
      setProblem(refusalText(refusal, deleteAccountStrings));
      return;
    }
    toast.good(deleteAccountStrings.done);
    await signOut();
  }

  if (!isRecent && providers.length === 0) {
    return (
      <p>
        {deleteAccountStrings.noProvider}
        <TextLink to={paths.resetPassword}>{deleteAccountStrings.choosePassword}</TextLink>.
      </p>
    );
  }
  return (
    <div className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {isRecent ? (
        <p>{deleteAccountStrings.justSignedIn}</p>
      ) : (
        <>
          <p>{deleteAccountStrings.signInAgain}</p>
          <LazyProviderButtons providers={providers} path={`${paths.account}#data`} />
        </>
      )}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" disabled={isDeleting} onClick={onKeep}>
          {deleteAccountStrings.keep}
        </Button>
        <Button
          variant="danger"
          loading={isDeleting}
          disabled={!isRecent}
          onClick={() => void remove()}
        >
          {deleteAccountStrings.confirm}
        </Button>
      </div>
    </div>
  );
}
