import { useEffect, useEffectEvent, useState } from "react";
import { useBlocker } from "react-router";
import { useSignOutCheck } from "@/features/session/index.ts";
import { useUnsavedText } from "@/lib/unsaved-text.ts";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { leaveTexts } from "../strings/draft.ts";

/** Leaving waits this long for a save before the question is asked: a request may hang. */
const savePatienceMs = 4000;

export interface LeaveGuardProps {
  /** Whether there is text that isn't saved, at the moment of asking. */
  readonly isDirty: () => boolean;
  readonly isUploading: boolean;
  /** Saves at once; true when everything is saved. */
  readonly save: () => Promise<boolean>;
}

/** A navigation or a sign-out that waits: it goes on or is given up. */
interface Attempt {
  readonly proceed: () => void;
  readonly reset: () => void;
}

interface Question {
  /** The attempt to leave it is about. */
  readonly attempt: Attempt;
  readonly losesText: boolean;
  readonly losesFilm: boolean;
}

/**
 * Holds back what would lose unsaved text or a running upload. A navigation within the app, or signing out, goes on once the
 * text is saved; when it can't be saved, or a film is uploading, the person is asked. Before the tab is closed the browser asks.
 * A session that ended elsewhere removes the page and with it the guard; a membership that ends leaves it while it holds text. A router supports one blocker at a time, so a page has
 * one guard.
 */
export function LeaveGuard({ isDirty, isUploading, save }: LeaveGuardProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const [signingOut, setSigningOut] = useState<Attempt | null>(null);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && (isUploading || isDirty()),
  );
  const attempt = blocker.state === "blocked" ? blocker : signingOut;
  const trySaving = useEffectEvent(save);
  const decide = useEffectEvent((held: Attempt, isSaved: boolean) => {
    if (isSaved && !isUploading) held.proceed();
    else setQuestion({ attempt: held, losesText: !isSaved, losesFilm: isUploading });
  });
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isUploading || isDirty()) event.preventDefault();
  });

  useUnsavedText(isDirty);
  useSignOutCheck(async () => {
    if (!isUploading && !isDirty()) return true;
    signingOut?.reset();
    return await new Promise((resolve) => {
      const answer = (isLeaving: boolean) => {
        setSigningOut(null);
        resolve(isLeaving);
      };
      setSigningOut({ proceed: () => answer(true), reset: () => answer(false) });
    });
  });

  useEffect(() => {
    if (attempt === null) return undefined;
    let isCurrent = true;
    const impatience = setTimeout(() => decide(attempt, false), savePatienceMs);
    void trySaving().then((isSaved) => {
      clearTimeout(impatience);
      if (isCurrent) decide(attempt, isSaved);
    });
    return () => {
      clearTimeout(impatience);
      isCurrent = false;
    };
  }, [attempt]);

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => warn(event);
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);

  return (
    <ConfirmDialog
      open={attempt !== null && question?.attempt === attempt}
      onOpenChange={(isOpen) => {
        if (!isOpen) attempt?.reset();
      }}
      title={question?.losesText === false ? leaveTexts.filmTitle : leaveTexts.textTitle}
      description={[
        ...(question?.losesText === true ? [leaveTexts.text] : []),
        ...(question?.losesFilm === true ? [leaveTexts.film] : []),
      ].join(" ")}
      confirmLabel={signingOut === null ? leaveTexts.leave : leaveTexts.signOut}
      cancelLabel={leaveTexts.stay}
      danger
      onConfirm={() => attempt?.proceed()}
    />
  );
}
