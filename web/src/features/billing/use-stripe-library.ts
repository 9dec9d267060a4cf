import type { Stripe } from "@stripe/stripe-js";
import { useCallback, useEffect, useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { loadStripeLibrary } from "./api/load-stripe-library.ts";

export type StripeLibrary =
  | { readonly status: "loading" }
  | { readonly status: "ready"; readonly stripe: Stripe }
  /** The script did not load, or there is no key. Can be retried. */
  | { readonly status: "failed" }
  /** The script loaded without providing the library. */
  | { readonly status: "unusable" };

/** The card provider's browser library, and a way to try again. */
export function useStripeLibrary(): {
  readonly library: StripeLibrary;
  readonly retry: () => void;
} {
  const { config } = useBackend();
  const { stripePublishableKey: key, stripeScriptUrl: address } = config;
  const [library, setLibrary] = useState<StripeLibrary>({ status: "loading" });

  // A failed library stays on the page until the next attempt is asked for.
  useEffect(() => {
    if (library.status !== "loading") return;
    let gone = false;
    loadStripeLibrary(key, address).then(
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
