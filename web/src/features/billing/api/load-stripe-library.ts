import { loadStripe } from "@stripe/stripe-js/pure";
import type { Stripe } from "@stripe/stripe-js";

const mark = "data-card-script";

/**
 * Gets the card provider's browser script and opens it with the public key. With an address of
 * its own the script is put into the page first; the official loader then takes the provider it
 * finds there. Null when the script came but gave nothing to work with. Throws when it did not
 * come or there is no key.
 */
export async function loadStripeLibrary(
  publishableKey: string | null,
  scriptUrl: string | null,
): Promise<Stripe | null> {
  if (publishableKey === null) throw new Error("There is no publishable key");
  if (scriptUrl !== null && !("Stripe" in window)) await insertScript(scriptUrl);
  if (scriptUrl !== null && !("Stripe" in window)) return null;
  return loadStripe(publishableKey);
}

/** Inserts the script once. A failed script is removed again. */
function insertScript(address: string): Promise<void> {
  const present = document.querySelector<HTMLScriptElement>(`script[${mark}]`);
  const script = present ?? document.createElement("script");
  return new Promise((resolve, reject) => {
    script.addEventListener("load", () => resolve(), { once: true });
    script.addEventListener(
      "error",
      () => {
        script.remove();
        reject(new Error("The card provider's script did not load"));
      },
      { once: true },
    );
    if (present) return;
    script.setAttribute(mark, "");
    script.async = true;
    script.src = address;
    document.head.append(script);
  });
}
