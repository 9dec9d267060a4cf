import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

type Page = HtmlEscapedString | Promise<HtmlEscapedString>;

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark; max-width: 24rem; margin: 10vh auto; padding: 0 1rem }
  label { display: block; margin: 1rem 0 }
  input:not([type=checkbox]) { display: block; box-sizing: border-box; width: 100%; font: inherit; padding: .6rem; margin-top: .25rem }
  button { font: inherit; min-height: 2.75rem; padding: 0 1rem; margin: .5rem .5rem 0 0 }`;

function layout(title: string, body: Page): Page {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

/** Asks who signs in. Anyone can be anyone with it, so it is only for tests and demos. */
export function chooserPage(provider: string, request: Readonly<Record<string, string>>): Page {
  const hidden = Object.entries(request).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return layout(
    `Stand-in for ${provider}`,
    html`<main>
      <h1>Stand-in for ${provider}</h1>
      <p>This is a test page. ${provider} is not asked.</p>
      <form method="post">
        ${hidden}
        <label>
          Email
          <input
            name="email"
            type="email"
            required
            autocomplete="off"
            value="${request["login_hint"] ?? ""}"
          />
        </label>
        <label>Name <input name="name" autocomplete="off" value="Sam Taylor" /></label>
        <label><input name="verified" type="checkbox" checked /> The address is verified</label>
        <button name="decision" value="continue">Continue</button>
        <button name="decision" value="cancel" formnovalidate>Cancel</button>
      </form>
    </main>`,
  );
}

/** Sends fields to the site by a form, as Apple does. */
export function formPostPage(
  action: string,
  fields: Readonly<Record<string, string>>,
  nonce: string,
): Page {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return layout(
    "Going back",
    html`<form method="post" action="${action}">${inputs}<button>Continue</button></form>
      <script nonce="${nonce}">
        document.forms[0].submit();
      </script>`,
  );
}
