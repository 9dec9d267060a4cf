import { useEffect, useRef, useState } from "react";
import type { DraftDetail } from "./api/drafts.ts";
import { Autosave, type SaveState } from "./model/autosave.ts";
import type { DraftContent } from "./model/draft.ts";
import { newestVersionIn } from "./model/studio-errors.ts";
import { useSaveVersion } from "./mutations.ts";

/** Every save is a version, so saving waits until the mentor pauses. */
const idleMs = 5000;
const longestMs = 30_000;

/** The text of a draft while it is written. It is saved after a pause, and when the page is hidden or left. */
export function useDraftEditing(draft: DraftDetail) {
  const save = useSaveVersion(draft.id);
  const [content, setContent] = useState(draft.content);
  const [state, setState] = useState<SaveState>({ kind: "saved" });
  const [autosave] = useState(
    () =>
      new Autosave<DraftContent>({
        version: draft.version,
        save,
        newestIn: newestVersionIn,
        idleMs,
        longestMs,
        onState: setState,
      }),
  );
  const latest = useRef(content);
  /** The content whose empty excerpt is filled in its newest version. */
  const filled = useRef<DraftContent | null>(null);

  // Words that the draft got by itself when it was handed over are not its mentor's: they go on following the text.
  const [opening] = useState(draft);
  useEffect(() => {
    const { kind, content: opened } = opening;
    if (opened.excerpt === "") return;
    const leaveEmpty = async () => {
      const { suggestedExcerpt } = await import("./model/first-words.ts");
      if (suggestedExcerpt(kind, opened) !== opened.excerpt) return;
      if (latest.current.excerpt !== opened.excerpt) return;
      latest.current = { ...latest.current, excerpt: "" };
      filled.current = latest.current;
      setContent(latest.current);
    };
    // Without that code they stand there as if they had been written.
    leaveEmpty().catch(() => undefined);
  }, [opening]);

  useEffect(() => {
    const saveNow = () => void autosave.flush();
    const saveWhenHidden = () => document.visibilityState === "hidden" && saveNow();
    const saveByKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      saveNow();
    };
    document.addEventListener("visibilitychange", saveWhenHidden);
    window.addEventListener("keydown", saveByKey);
    window.addEventListener("online", saveNow);
    return () => {
      document.removeEventListener("visibilitychange", saveWhenHidden);
      window.removeEventListener("keydown", saveByKey);
      window.removeEventListener("online", saveNow);
      saveNow();
    };
  }, [autosave]);

  const saveNow = async () => ((await autosave.flush()) ? autosave.version : null);
  /** Has the first words of the text for an excerpt in the version that is saved next, and not in the field. */
  async function fillExcerpt() {
    if (latest.current.excerpt.trim() !== "" || filled.current === latest.current) return;
    const { suggestedExcerpt } = await import("./model/first-words.ts");
    const excerpt = suggestedExcerpt(draft.kind, latest.current);
    if (excerpt === "") return;
    filled.current = latest.current;
    autosave.change({ ...latest.current, excerpt });
  }

  return {
    content,
    state,
    /** The version the text is made from. */
    version: autosave.version,
    change: (changes: Partial<DraftContent>) => {
      latest.current = { ...latest.current, ...changes };
      setContent(latest.current);
      autosave.change(latest.current);
    },
    /** Saves at once; the version, or null when it was not saved. */
    saveNow,
    /** Saves what is handed over: an excerpt that was never written is made of the text as it is now. */
    saveToSubmit: async () => {
      await fillExcerpt();
      return await saveNow();
    },
    isDirty: () => autosave.isDirty,
    keepMine: async () => await autosave.keepMine(),
    /** Forgets what is not saved. */
    discard: () => autosave.stop(),
  };
}
