import { newFrame } from "./card-frame.js";
import { showChallenge } from "./challenge.js";
import { FrameElement } from "./frame-element.js";

const walletNames = { google_pay: "Google Pay", link: "Link" };

/** A card, Google Pay or Link, of which the buyer chooses one. `elements` has the options of the whole group. */
export class PaymentElement extends FrameElement {
  _elementType = "payment";
  type = "payment";
  #elements;
  /** What `elements.submit()` found; null before it, and after anything was changed. */
  submitted = null;

  constructor(provider, options, onDestroy, elements) {
    super(provider, options, onDestroy);
    this.#elements = elements;
    this.on("change", () => (this.submitted = null));
  }

  newFrame(base) {
    return newFrame(`${base}/v3/elements/payment.html`, "Secure payment input frame", "140px");
  }

  plainOptions({ wallets, readOnly }) {
    const { appearance } = this.#elements();
    return structuredClone({ wallets, disabled: readOnly === true, appearance });
  }

  /** Checks what was entered, and asks the buyer in the wallet's own window. */
  async submit() {
    const { error, wallet } = await this.ask({ type: "check" });
    if (error) return { error };
    if (wallet && !(await this.#isApproved(wallet))) {
      const message = "The payment was cancelled before it was confirmed.";
      return { error: { type: "validation_error", code: "payment_cancelled", message } };
    }
    this.submitted = { wallet };
    return { selectedPaymentMethod: wallet ?? "card" };
  }

  async #isApproved(wallet) {
    const url = new URL(`${this.base}/v3/elements/wallet.html`);
    url.searchParams.set("wallet", wallet);
    return (await showChallenge(url.href, walletNames[wallet])).isAccepted === true;
  }
}
