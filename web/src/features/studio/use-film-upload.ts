import { useEffect, useRef, useState } from "react";
import type { UploadedFilm } from "@/domain/course-films.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { replaceCaptions, storeFilm } from "./api/store-film.ts";
import { explainFilmError } from "./model/film-files.ts";

export type UploadState =
  | { readonly kind: "idle" }
  | { readonly kind: "sending"; readonly percent: number }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Uploads a film, or other captions for one. It ends with the lesson's fields: who leaves them cancels it.
 * @param onStored receives the film's address
 */
export function useFilmUpload(onStored: (address: string) => void) {
  const backend = useBackend();
  const userId = useUserId();
  const [state, setState] = useState<UploadState>({ kind: "idle" });
  const running = useRef<AbortController | null>(null);
  /** The lesson may have been written in since the upload began. */
  const latest = useRef(onStored);
  useEffect(() => {
    latest.current = onStored;
  });
  useEffect(() => () => running.current?.abort(), []);

  async function run(work: (signal: AbortSignal) => Promise<string>) {
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: "sending", percent: 0 });
    try {
      const address = await work(controller.signal);
      if (controller.signal.aborted) return;
      setState({ kind: "idle" });
      latest.current(address);
    } catch (error) {
      if (controller.signal.aborted) return;
      console.error("The film was not uploaded", error);
      setState({ kind: "failed", reason: explainFilmError(error) });
    }
  }

  return {
    state,
    upload: (film: File, captions: File) =>
      void run(
        async (signal) =>
          await storeFilm(
            backend,
            userId,
            { film, captions },
            {
              signal,
              onProgress: (share) => {
                if (!signal.aborted)
                  setState({ kind: "sending", percent: Math.floor(share * 100) });
              },
            },
          ),
      ),
    replace: (film: UploadedFilm, captions: File) =>
      void run(async (signal) => await replaceCaptions(backend, userId, film, captions, signal)),
    cancel: () => {
      running.current?.abort();
      setState({ kind: "idle" });
    },
  };
}
