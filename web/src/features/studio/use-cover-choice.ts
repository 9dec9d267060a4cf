import { useEffect, useRef, useState } from "react";
import { contentPictureAddress } from "@/domain/content-pictures.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { pictureFileError, pictureFileStrings } from "@/lib/picture-file.ts";
import { unreadableFileText, UnreadableFileError } from "@/lib/reencode-image.ts";
import { storePicture } from "./api/store-picture.ts";
import { explainContentPictureError } from "./components/explain-studio-error.ts";
import { prepareCover } from "./model/cover-file.ts";

/** A picture that was chosen as a cover and is not one yet. */
export interface ChosenCover {
  readonly file: File;
  /** Which part is shown: 0 to 100. */
  readonly percent: number;
}

/**
 * The picture that is chosen as a cover, kept by the editor: a sheet of settings that closes takes nothing with it, and an upload
 * goes on without it.
 * @param onStored receives the address of the stored picture
 */
export function useCoverChoice(onStored: (address: string) => void) {
  const { client } = useBackend();
  const userId = useUserId();
  const [chosen, setChosen] = useState<ChosenCover | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  /** Counts the pictures, so that the same file can be chosen again in a new field. */
  const [turn, setTurn] = useState(0);
  /** The draft may have been written in since the upload began. */
  const latest = useRef(onStored);
  useEffect(() => {
    latest.current = onStored;
  });
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  function choose(file: File | null) {
    const reason = file === null ? null : pictureFileError(file);
    setRefusal(reason);
    setProblem(null);
    setChosen(file === null || reason !== null ? null : { file, percent: 50 });
  }

  /** Puts the picture away, and says why it cannot be used. */
  function close(reason: string | null) {
    setChosen(null);
    setRefusal(reason);
    setProblem(null);
    setTurn((before) => before + 1);
  }

  /** Resolves to whether it is a cover now, or was put away. */
  async function upload(): Promise<boolean> {
    if (chosen === null) return false;
    setSending(true);
    setProblem(null);
    try {
      const cover = await prepareCover(chosen.file, chosen.percent / 100);
      const name = await storePicture(client, userId, cover);
      if (isGone.current) return false;
      setSending(false);
      close(null);
      latest.current(contentPictureAddress(name));
      return true;
    } catch (error) {
      console.error("The cover was not uploaded", error);
      if (isGone.current) return false;
      setSending(false);
      if (error instanceof UnreadableFileError) {
        close(unreadableFileText(error, pictureFileStrings.unreadable));
        return true;
      }
      setProblem(explainContentPictureError(error));
      return false;
    }
  }

  return {
    chosen,
    refusal,
    problem,
    isSending,
    turn,
    choose,
    close,
    upload,
    show: (percent: number) => setChosen((before) => before && { ...before, percent }),
  };
}

export type CoverChoice = ReturnType<typeof useCoverChoice>;
