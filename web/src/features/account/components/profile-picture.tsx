import { useEffect, useRef, useState } from "react";
import { displayName, useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { acceptedPictures, pictureFileError, pictureFileStrings } from "@/lib/picture-file.ts";
import { unreadableFileText } from "@/lib/reencode-image.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Alert } from "@/ui/alert.tsx";
import { Avatar } from "@/ui/avatar.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { FileDrop } from "@/ui/file-drop.tsx";
import { toast } from "@/ui/toast.tsx";
import { preparePicture } from "../model/picture-file.ts";
import { useProfilePicture } from "../mutations.ts";
import { explainPictureError, explainRemovalError, pictureStrings } from "../strings.ts";

interface Choice {
  /** The square that will be sent. */
  readonly file: File | null;
  /** Address of the preview in this browser. */
  readonly preview: string | null;
  /** Why the last file was not taken. */
  readonly error: string | null;
}

const noChoice: Choice = { file: null, preview: null, error: null };

/** Chooses, previews, saves and removes the picture other members see. */
export function ProfilePicture() {
  const { client } = useBackend();
  const { user, profile } = useSession();
  const picture = useProfilePicture();
  const [choice, setChoice] = useState(noChoice);
  const [busy, setBusy] = useState<"preparing" | "uploading" | "removing" | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  // A new field after each picture, so that the same file can be chosen again.
  const [savedCount, setSavedCount] = useState(0);
  // Only the file chosen last counts, whichever is prepared first.
  const chosen = useRef(0);
  const current = profilePictureUrl(client, profile?.avatarUrl);

  const { preview } = choice;
  useEffect(() => (preview === null ? undefined : () => URL.revokeObjectURL(preview)), [preview]);

  async function choose(file: File | null) {
    const turn = (chosen.current += 1);
    const error = file === null ? null : pictureFileError(file);
    setProblem(null);
    setChoice({ ...noChoice, error });
    setBusy(null);
    if (file === null || error !== null) return;
    setBusy("preparing");
    try {
      const square = await preparePicture(file);
      if (turn !== chosen.current) return;
      setChoice({ file: square, preview: URL.createObjectURL(square), error: null });
    } catch (reason) {
      console.error("The picture could not be read", reason);
      if (turn !== chosen.current) return;
      const unreadable = unreadableFileText(reason, pictureFileStrings.unreadable);
      setChoice({ ...noChoice, error: unreadable });
    }
    setBusy(null);
  }

  async function save(file: File) {
    setBusy("uploading");
    setProblem(null);
    try {
      await picture.save(file);
      setChoice(noChoice);
      setSavedCount((before) => before + 1);
      toast.good(pictureStrings.saved);
    } catch (error) {
      console.error("The picture was not saved", error);
      setProblem(explainPictureError(error));
    }
    setBusy(null);
  }

  async function remove() {
    setBusy("removing");
    setProblem(null);
    try {
      await picture.remove();
      toast.good(pictureStrings.removed);
    } catch (error) {
      console.error("The picture was not removed", error);
      setProblem(explainRemovalError(error));
    }
    setAsking(false);
    setBusy(null);
  }

  const { file } = choice;
  return (
    <div role="group" aria-label={pictureStrings.groupLabel} className="grid gap-4">
      <div className="flex items-center gap-4">
        <Avatar
          id={user?.id ?? ""}
          name={displayName(profile, user?.email ?? "")}
          picture={preview ?? current}
          size="lg"
        />
        <p role="status" className="text-sm text-muted">
          {busy === "preparing"
            ? pictureStrings.preparing
            : busy === "uploading"
              ? pictureStrings.uploading
              : file === null
                ? null
                : pictureStrings.preview}
        </p>
      </div>
      <FileDrop
        key={savedCount}
        label={pictureStrings.label}
        hint={pictureStrings.hint}
        accept={acceptedPictures}
        file={file}
        error={choice.error}
        disabled={busy === "uploading" || busy === "removing"}
        onFile={(given) => void choose(given)}
      />
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {file === null ? null : (
          <Button loading={busy === "uploading"} onClick={() => void save(file)}>
            {pictureStrings.save}
          </Button>
        )}
        {file === null && current !== null ? (
          <Button variant="secondary" onClick={() => setAsking(true)}>
            {pictureStrings.remove}
          </Button>
        ) : null}
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={pictureStrings.removeTitle}
        description={pictureStrings.removeText}
        confirmLabel={pictureStrings.remove}
        cancelLabel={pictureStrings.keep}
        danger
        busy={busy === "removing"}
        onConfirm={() => void remove()}
      />
    </div>
  );
}
