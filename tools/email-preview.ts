import { Hono } from "hono";
import { html } from "hono/html";
import type pg from "pg";
import type { EmailTexts } from "../supabase/functions/_shared/emails/email-template.ts";
import { writeEmail } from "../supabase/functions/_shared/emails/email-templates.ts";
import { renderEmail } from "../supabase/functions/_shared/emails/render-email.ts";
import { sampleEmails } from "../supabase/functions/_shared/emails/sample-emails.ts";
import { authEmailFiles, authEmails } from "./auth-emails.ts";

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 1rem; }
section { margin: 2rem 0; }
iframe { width: 100%; height: 44rem; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }`;

/** Samples of the values that the auth service fills in. */
const placeholders: Readonly<Record<string, string>> = {
  TokenHash: "sample",
  SiteURL: "https://members.example.org",
  Email: "ada@example.org",
  NewEmail: "ada.byron@example.org",
  Token: "123456",
};

interface Preview {
  subject: string;
  html: string;
  /** Undefined for the auth service's, which makes it from the HTML. */
  text?: string;
}

async function previews(siteUrl: string, db: pg.Pool): Promise<ReadonlyMap<string, Preview>> {
  const all = new Map<string, Preview>();
  const { rows } = await db.query<{ name: string; texts: EmailTexts }>(
    "select t.name, private.changed_email_texts(t.name) as texts from private.email_templates t",
  );
  const changed = new Map(rows.map(({ name, texts }) => [name, texts]));
  for (const [name, data] of Object.entries(sampleEmails)) {
    const content = writeEmail(name, data, changed.get(name));
    all.set(name, renderEmail(content, { firstName: "Ada", siteUrl }));
  }
  for (const [path, template] of Object.entries(authEmailFiles())) {
    const name = /([^/]+)\.html$/.exec(path)?.[1] ?? path;
    const filled = template.replaceAll(
      /\{\{ \.(\w+) \}\}/g,
      (_whole, field: string) => placeholders[field] ?? "",
    );
    all.set(name, { subject: authEmails[name]?.heading ?? name, html: filled });
  }
  return all;
}

/**
 * Pages that show every e-mail of the product with sample data: `/` lists them, `/NAME` shows the HTML of one. Texts
 * that were changed in the console are read from `db`.
 */
export function createEmailPreviewApp(siteUrl: string, db: pg.Pool): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header("content-security-policy", policy);
    c.header("cache-control", "no-store");
  });
  app.get("/", async (c) => {
    const all = await previews(siteUrl, db);
    const sections = [...all].map(
      ([name, { subject, text }]) =>
        html`<section>
          <h2>${subject} <small>(${name})</small></h2>
          <iframe title="${subject}" src="/dev/emails/${name}" loading="lazy"></iframe>
          ${
            text === undefined
              ? ""
              : html`<details>
                  <summary>As plain text</summary>
                  <pre>${text}</pre>
                </details>`
          }
        </section>`,
    );
    return c.html(
      html`<!doctype html>
        <html lang="en-GB">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <title>E-mails</title>
            <style>
              ${style}
            </style>
          </head>
          <body>
            <main>
              <h1>E-mails</h1>
              <p>Every e-mail of the product, with sample data.</p>
              ${sections}
            </main>
          </body>
        </html>`,
    );
  });
  app.get("/:name", async (c) => {
    const preview = (await previews(siteUrl, db)).get(c.req.param("name"));
    return preview === undefined ? c.notFound() : c.html(preview.html);
  });
  return app;
}
