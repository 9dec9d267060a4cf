import { useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { systemClock } from "@/lib/clock.ts";
import type { Refusal } from "@/lib/refusal.ts";
import type { CardFieldChange } from "./components/card-field.tsx";
import { useCardEntry, type CardEntry } from "./pay-form.ts";

/** How long the provider's word on the last digit may take. Milliseconds. */
const cardChangeMs = 300;

/** Why a form with a card did nothing. A card's problem belongs under the card field. */
type CardFormProblem<Code extends string> = {
  readonly kind: "card-problem" | "problem";
  readonly isDeclined?: true;
} & Refusal<Code>;

interface CardForm<Code extends string> {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly entry: CardEntry;
  readonly problem: CardFormProblem<Code> | null;
  readonly clearProblem: () => void;
  /** Shows why nothing was done, and leads back to the card or to the button. */
  readonly refuse: (problem: CardFormProblem<Code>) => void;
  readonly onCardChange: (event: CardFieldChange) => void;
  readonly isComplete: () => boolean;
  /** Who presses with the last digit is faster than the provider's message that the card is complete. */
  readonly becomesComplete: () => Promise<boolean>;
}

/** What every form with a card does alike. Must be used inside of `PayElements`. */
export function useCardForm<Code extends string>(): CardForm<Code> {
  const entry = useCardEntry();
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<CardFormProblem<Code> | null>(null);
  const [attempts, setAttempts] = useState(0);
  const complete = useRef(false);
  const changed = useRef(() => {});

  const focusAgain = useEffectEvent(() => {
    // The pressed button lost the focus when it began to wait, and the bank's question when it went: to what is around the
    // form. What the server or the provider says is about the card.
    const active = document.activeElement;
    if (!form.current?.contains(active) && !active?.contains(form.current)) return;
    if (problem !== null && "message" in problem) entry.focus();
    else form.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
  });
  useEffect(() => {
    if (attempts > 0) focusAgain();
  }, [attempts]);

  return {
    form,
    entry,
    problem,
    clearProblem: () => setProblem(null),
    refuse: (refusal) => {
      setProblem(refusal);
      setAttempts((before) => before + 1);
    },
    onCardChange: (event) => {
      complete.current = event.complete;
      changed.current();
      setProblem(event.error ? { kind: "card-problem", message: event.error.message } : null);
    },
    isComplete: () => complete.current,
    becomesComplete: async () => {
      await new Promise<void>((resolve) => {
        changed.current = resolve;
        systemClock.after(cardChangeMs, resolve);
      });
      return complete.current;
    },
  };
}
