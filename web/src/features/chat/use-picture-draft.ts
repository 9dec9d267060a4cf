import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { pictureFileError, pictureFileStrings } from "@/lib/picture-file.ts";
import { unreadableFileText } from "@/lib/reencode-image.ts";
import { prepareMessagePicture, type OutgoingPicture } from "./model/message-picture.ts";
import { composerStrings } from "./strings.ts";

export interface PictureDraft {
  readonly picture: OutgoingPicture | null;
  readonly preparing: boolean;
  /** Why the last file was not added. */
  readonly problem: string | null;
  /** Prepares the first of the files; it takes the place of the former picture. */
  readonly add: (files: readonly File[]) => void;
  readonly set: (picture: OutgoingPicture | null) => void;
  /** Puts a rejected picture back, unless another one was added meanwhile. */
  readonly restore: (picture: OutgoingPicture) => void;
}

/** The picture of the message that is being written, kept in memory while the member looks at another room. */
export function usePictureDraft(userId: string, roomId: string): PictureDraft {
  const queries = useQueryClient();
  const [picture, setPicture] = useState<OutgoingPicture | null>(
    () => queries.getQueryData<OutgoingPicture>(["chat-draft", userId, roomId, "picture"]) ?? null,
  );
  const [preparing, setPreparing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // Only the file chosen last counts, whichever is prepared first.
  const turn = useRef(0);
  useEffect(() => {
    queries.setQueryDefaults(["chat-draft"], { gcTime: Infinity });
    queries.setQueryData(["chat-draft", userId, roomId, "picture"], picture);
  }, [queries, userId, roomId, picture]);

  async function prepare(file: File, chosen: number): Promise<void> {
    let unreadable: string | null = null;
    const prepared = await prepareMessagePicture(file).catch((error: unknown) => {
      console.error("The picture could not be read", error);
      unreadable = unreadableFileText(error, pictureFileStrings.unreadable);
      return null;
    });
    if (chosen !== turn.current) return;
    setPreparing(false);
    if (prepared === null) setProblem(unreadable);
    else setPicture((before) => ({ ...prepared, alt: before?.alt ?? "" }));
  }

  function add(files: readonly File[]): void {
    const [file] = files;
    if (file === undefined) return;
    turn.current += 1;
    const error = pictureFileError(file);
    setProblem(error ?? (files.length > 1 ? composerStrings.onePicture : null));
    setPreparing(error === null);
    if (error === null) void prepare(file, turn.current);
  }

  const set = useCallback((next: OutgoingPicture | null) => {
    turn.current += 1;
    setPreparing(false);
    setProblem(null);
    setPicture(next);
  }, []);
  const restore = useCallback((rejected: OutgoingPicture) => {
    setPicture((added) => added ?? rejected);
  }, []);

  return { picture, preparing, problem, add, set, restore };
}
