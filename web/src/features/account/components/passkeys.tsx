import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { isCeremonyAborted, knowsPasskeys } from "@/lib/passkey-support.ts";
import { longDate, timeAgo } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { addPasskey, removePasskey, type Passkey } from "../api/passkeys.ts";
import { useInvalidatePasskeys } from "../mutations.ts";
import { usePasskeys } from "../queries.ts";
import { explainPasskeyError, passkeyStrings } from "../strings/passkeys.ts";
import { deviceName } from "./device-name.ts";
import { RenamePasskey } from "./rename-passkey.tsx";

/** The passkeys of the account: adding, renaming and removing them. */
export default function Passkeys() {
  const { client } = useBackend();
  const { data, dataUpdatedAt, isError, isFetching, refetch } = usePasskeys();
  const invalidate = useInvalidatePasskeys();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);

  /** Runs what changes the list, and says what came of it. */
  async function change(run: () => Promise<void>, done: string) {
    setBusy(true);
    setProblem(null);
    try {
      await run();
      toast.good(done);
    } catch (error) {
      if (!isCeremonyAborted(error)) console.error("The passkeys were not changed", error);
      setProblem(isCeremonyAborted(error) ? passkeyStrings.aborted : explainPasskeyError(error));
    } finally {
      setBusy(false);
      setRemoving(null);
      invalidate();
    }
  }

  if (!data && isError) {
    return (
      <LoadFailed
        title={passkeyStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <Loading label={passkeyStrings.loading} className="grid gap-2">
        <Skeleton className="h-16 rounded-card" />
      </Loading>
    );
  }
  return (
    <div className="grid gap-4">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {data.length === 0 ? (
        <p className="text-muted">{passkeyStrings.none}</p>
      ) : (
        <Card className="p-0 sm:p-0">
          <ul aria-label={passkeyStrings.label} className="divide-y divide-line">
            {data.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                now={dataUpdatedAt}
                onRename={() => {
                  setProblem(null);
                  setRenaming(passkey);
                }}
                onRemove={() => setRemoving(passkey)}
              />
            ))}
          </ul>
        </Card>
      )}
      {knowsPasskeys() ? (
        <div>
          <Button
            variant="secondary"
            loading={busy && removing === null}
            onClick={() =>
              void change(
                () => addPasskey(client, deviceName(navigator.userAgent)),
                passkeyStrings.added,
              )
            }
          >
            {passkeyStrings.add}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-muted">{passkeyStrings.unknownHere}</p>
      )}
      <RenamePasskey
        passkey={renaming}
        onClose={() => {
          setRenaming(null);
          invalidate();
        }}
      />
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => {
          if (!open) setRemoving(null);
        }}
        title={passkeyStrings.removeTitle}
        description={passkeyStrings.removeText}
        confirmLabel={passkeyStrings.removeConfirm}
        cancelLabel={passkeyStrings.keep}
        busy={busy}
        onConfirm={() => {
          if (removing === null) return;
          void change(() => removePasskey(client, removing.id), passkeyStrings.removed);
        }}
      />
    </div>
  );
}

function PasskeyRow({
  passkey,
  now,
  onRename,
  onRemove,
}: {
  readonly passkey: Passkey;
  readonly now: number;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}) {
  const name = passkey.name === "" ? passkeyStrings.unnamed : passkey.name;
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3">
      <KeyRound aria-hidden className="mt-1 size-5 shrink-0 text-muted" />
      <div className="min-w-40 grow text-sm">
        <p className="text-base font-medium wrap-anywhere">{name}</p>
        <p className="text-muted">
          {passkey.lastUsedAt === null
            ? passkeyStrings.neverUsed
            : passkeyStrings.lastUsed(timeAgo(passkey.lastUsedAt, now))}
        </p>
        <p className="text-muted">{passkeyStrings.addedOn(longDate(passkey.createdAt))}</p>
      </div>
      <div className="flex">
        <Button
          variant="quiet"
          size="sm"
          aria-label={passkeyStrings.renameNamed(name)}
          onClick={onRename}
        >
          {passkeyStrings.rename}
        </Button>
        <Button
          variant="quiet"
          size="sm"
          aria-label={passkeyStrings.removeNamed(name)}
          onClick={onRemove}
        >
          {passkeyStrings.remove}
        </Button>
      </div>
    </li>
  );
}
