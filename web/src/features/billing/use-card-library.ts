import type { Stripe } from "@stripe/stripe-js";
import { useCallback, useEffect, useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { loadCardLibrary } from "./api/load-card-library.ts";

export type CardLibrary =
  | { readonly status: "loading" }
  | { readonly status: "ready"; readonly stripe: Stripe }
  /** It could not be fetched or there is no key; worth another try. */
  | { readonly status: "failed" }
  /** It was fetched and is no good. */
  | { readonly status: "unusable" };

/** The card provider's browser library, and a way to try again. */
export function useCardLibrary(): { readonly library: CardLibrary; readonly retry: () => void } {
  const { config } = useBackend();
  const { stripePublishableKey: key, stripeScriptUrl: address } = config;
  const [attempt, setAttempt] = useState(0);
  const [library, setLibrary] = useState<CardLibrary>({ status: "loading" });
  useEffect(() => {
    let gone = false;
    setLibrary({ status: "loading" });
    loadCardLibrary(key, address).then(
      (stripe) => {
        if (!gone) setLibrary(stripe ? { status: "ready", stripe } : { status: "unusable" });
      },
      (error: unknown) => {
        console.error("The card library did not load", error);
        if (!gone) setLibrary({ status: "failed" });
      },
    );
    return () => {
      gone = true;
    };
  }, [key, address, attempt]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  return { library, retry };
}
