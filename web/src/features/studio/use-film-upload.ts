import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { UploadedFilm } from "@/domain/course-films.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { replaceCaptions, storeFilm } from "./api/store-film.ts";
import { discarded } from "./api/upload-error.ts";
import { explainFilmError } from "./components/explain-film-error.ts";

export type UploadState =
  | { readonly kind: "idle" }
  | { readonly kind: "sending"; readonly percent: number }
  | { readonly kind: "failed"; readonly reason: string };

/** How far the upload of a lesson's film is, for what lies around its field. */
export type UploadKind = UploadState["kind"];

/**
 * Uploads a film, or other captions for one. It ends with the field, which stays while an upload is not idle.
 * @param onStored receives the film's address
 */
export function useFilmUpload(
  onStored: (address: string) => void,
  onUpload: (kind: UploadKind) => void,
) {
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
  const report = useEffectEvent(onUpload);
  useEffect(() => {
    report(state.kind);
    return () => report("idle");
  }, [state.kind]);

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
      running.current?.abort(discarded);
      setState({ kind: "idle" });
    },
  };
}

/** The uploads of a course's lessons that are running or have failed, by the id of the module in the editor. */
export type ModuleUploads = ReadonlyMap<string, Exclude<UploadKind, "idle">>;

/** Knows which lessons of a course have an upload. */
export function useModuleUploads() {
  const [uploads, setUploads] = useState<ModuleUploads>(new Map());
  return {
    uploads,
    isUploading: [...uploads.values()].includes("sending"),
    report: (moduleId: string, kind: UploadKind) =>
      setUploads((before) => {
        if (kind === (before.get(moduleId) ?? "idle")) return before;
        const after = new Map(before);
        if (kind === "idle") after.delete(moduleId);
        else after.set(moduleId, kind);
        return after;
      }),
  };
}
