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
  const [library, setLibrary] = useState<CardLibrary>({ status: "loading" });

  /* A failed library stays on the page until the next attempt is asked for. */
  useEffect(() => {
    if (library.status !== "loading") return;
    let gone = false;
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
  }, [key, address, library.status]);

  const retry = useCallback(() => setLibrary({ status: "loading" }), []);
  return { library, retry };
}
