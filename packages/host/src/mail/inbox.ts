// Pages under `/dev/inbox` with the e-mails that an install without SMTP_URL keeps instead of sending.

import { Hono, type MiddlewareHandler } from "hono";
import { html, raw } from "hono/html";
import { escapeHtml } from "./html-to-text.ts";
import type { CaughtMail, Mailer } from "./mailer.ts";
import { inboxStyle } from "./inbox-style.ts";

/** The pages need one stylesheet and one frame; nothing else may load and no script may run. */
const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** An e-mail is untrusted HTML: shown sandboxed, without scripts and without external resources. */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation; frame-ancestors 'self'";
const linkPattern = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)]/g;

function policy(value: string): MiddlewareHandler {
  return async (c, next) => {
    await next();
    c.header("content-security-policy", value);
    c.header("x-content-type-options", "nosniff");
    c.header("referrer-policy", "no-referrer");
    c.header("cache-control", "no-store");
  };
}

/** Plain text with its web addresses as links. */
function withLinks(text: string): string {
  let end = 0;
  let marked = "";
  for (const match of text.matchAll(linkPattern)) {
    const address = escapeHtml(match[0]);
    marked += escapeHtml(text.slice(end, match.index));
    marked += `<a href="${address}">${address}</a>`;
    end = match.index + match[0].length;
  }
  return marked + escapeHtml(text.slice(end));
}

function page(title: string, body: ReturnType<typeof html>) {
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/dev/inbox/style.css" />
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;
}

function list(mails: readonly CaughtMail[]) {
  const rows = mails.map(
    (mail) =>
      html`<li>
        <a href="/dev/inbox/${mail.id}">${mail.subject}</a>
        <span>to ${mail.to}, <time datetime="${mail.caughtAt}">${mail.caughtAt}</time></span>
      </li>`,
  );
  return page(
    `Inbox (${mails.length})`,
    html`<h1>Inbox</h1>
      <p>E-mail this install would have sent. Set SMTP_URL to send it.</p>
      ${
        mails.length === 0
          ? html`<p>Nothing here yet.</p>`
          : html`<ul>
              ${rows}
            </ul>`
      }`,
  );
}

function detail(mail: CaughtMail) {
  return page(
    mail.subject,
    html`<nav><a href="/dev/inbox">Back to the inbox</a></nav>
      <h1>${mail.subject}</h1>
      <dl>
        <dt>From</dt>
        <dd>${mail.from}</dd>
        <dt>To</dt>
        <dd>${mail.to}</dd>
        <dt>When</dt>
        <dd><time datetime="${mail.caughtAt}">${mail.caughtAt}</time></dd>
      </dl>
      <h2>Text</h2>
      <pre>${raw(withLinks(mail.text))}</pre>
      ${
        mail.html === undefined
          ? ""
          : html`<h2>As a mail reader shows it</h2>
              <iframe
                title="The e-mail as a mail reader shows it"
                src="/dev/inbox/${mail.id}/html"
                sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
              ></iframe>`
      }`,
  );
}

/**
 * Pages that show caught e-mail, to be mounted at `/dev`:
 * `inbox` lists it, `inbox/ID` shows one, `inbox.json` returns it as JSON.
 */
export function createInboxApp(mailer: Pick<Mailer, "caught">): Hono {
  const app = new Hono();
  const find = (id: string) => mailer.caught().find((mail) => mail.id === id);
  app.get("/inbox.json", policy(pagePolicy), (c) => c.json(mailer.caught()));
  app.get("/inbox", policy(pagePolicy), (c) => c.html(list(mailer.caught())));
  app.get("/inbox/style.css", (c) => c.text(inboxStyle, 200, { "content-type": "text/css" }));
  app.get("/inbox/:id", policy(pagePolicy), (c) => {
    const mail = find(c.req.param("id"));
    return mail ? c.html(detail(mail)) : c.html(page("Not found", html`<h1>Not found</h1>`), 404);
  });
  app.get("/inbox/:id/html", policy(mailPolicy), (c) => {
    const body = find(c.req.param("id"))?.html;
    return body === undefined ? c.notFound() : c.html(`<base target="_blank">${body}`);
  });
  return app;
}
