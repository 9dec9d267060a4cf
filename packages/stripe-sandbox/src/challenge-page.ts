import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

type Page = HtmlEscapedString | Promise<HtmlEscapedString>;

function layout(title: string, assets: string, body: Page, script: Page | ""): Page {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="${assets}/challenge.css" />
        ${script}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

export interface ChallengeView {
  /** Path from the page to the folder of the frame's files. */
  assets: string;
  /** Amount with its currency, as shown to the cardholder; null when a card is set up without a payment. */
  amount: string | null;
  last4: string;
  /** Path of this challenge, to which the outcome is posted. */
  action: string;
}

/** The 3-D Secure page with the amount and the buttons to complete or fail it. */
export function challengePage(view: ChallengeView): Page {
  return layout(
    "3D Secure authentication",
    view.assets,
    html`<header><span>Test bank</span><span>3D Secure</span></header>
      <h1>${view.amount === null ? "Confirm this card" : "Confirm this payment"}</h1>
      <p>This is a test page. No bank is asked and no money moves.</p>
      <dl>
        ${
          view.amount === null
            ? ""
            : html`<dt>Amount</dt>
                <dd>${view.amount}</dd>`
        }
        <dt>Card</dt>
        <dd>•••• ${view.last4}</dd>
      </dl>
      <form method="post">
        <button class="main" id="test-source-authorize-3ds" formaction="${view.action}/complete">
          Complete authentication
        </button>
        <button id="test-source-fail-3ds" formaction="${view.action}/fail">
          Fail authentication
        </button>
      </form>`,
    "",
  );
}

/** Shown after the challenge; its script notifies the embedding page, which closes the dialog. */
export function answeredPage(assets: string, sentence: string): Page {
  return layout(
    "3D Secure authentication",
    assets,
    html`<header><span>Test bank</span><span>3D Secure</span></header>
      <h1>${sentence}</h1>
      <p>You can go back to the shop.</p>`,
    html`<script src="${assets}/challenge-answered.js"></script>`,
  );
}
