import { useEffect, useEffectEvent, useState } from "react";
import { useBlocker, type Blocker } from "react-router";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { leaveTexts } from "../strings.ts";

/** Leaving waits this long for a save before the question is asked: a request may hang. */
const savePatienceMs = 4000;

export interface LeaveGuardProps {
  /** Whether there is text that isn't saved, at the moment of asking. */
  readonly isDirty: () => boolean;
  readonly isUploading: boolean;
  /** Saves at once; true when everything is saved. */
  readonly save: () => Promise<boolean>;
}

interface Question {
  /** The attempt to leave it is about. */
  readonly blocker: Blocker;
  readonly losesText: boolean;
  readonly losesFilm: boolean;
}

/**
 * Holds back what would lose unsaved text or a running upload. A navigation within the app goes on once the text is saved;
 * when it can't be saved, or a film is uploading, the person is asked. Before the tab is closed the browser asks. Signing out
 * removes the page and with it the guard. A router supports one blocker at a time, so a page has one guard.
 */
export function LeaveGuard({ isDirty, isUploading, save }: LeaveGuardProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && (isUploading || isDirty()),
  );
  const trySaving = useEffectEvent(save);
  const decide = useEffectEvent((blocked: Blocker, isSaved: boolean) => {
    if (isSaved && !isUploading) blocked.proceed?.();
    else setQuestion({ blocker: blocked, losesText: !isSaved, losesFilm: isUploading });
  });
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isUploading || isDirty()) event.preventDefault();
  });

  useEffect(() => {
    if (blocker.state !== "blocked") return undefined;
    let isCurrent = true;
    const impatience = setTimeout(() => decide(blocker, false), savePatienceMs);
    void trySaving().then((isSaved) => {
      clearTimeout(impatience);
      if (isCurrent) decide(blocker, isSaved);
    });
    return () => {
      clearTimeout(impatience);
      isCurrent = false;
    };
  }, [blocker]);

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => warn(event);
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);

  return (
    <ConfirmDialog
      open={question?.blocker === blocker && blocker.state === "blocked"}
      onOpenChange={(isOpen) => {
        if (!isOpen) blocker.reset?.();
      }}
      title={question?.losesText === false ? leaveTexts.filmTitle : leaveTexts.textTitle}
      description={[
        ...(question?.losesText === true ? [leaveTexts.text] : []),
        ...(question?.losesFilm === true ? [leaveTexts.film] : []),
      ].join(" ")}
      confirmLabel={leaveTexts.leave}
      cancelLabel={leaveTexts.stay}
      danger
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
