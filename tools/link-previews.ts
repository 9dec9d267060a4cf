import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from "node:zlib";
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { html } from "hono/html";
import type pg from "pg";
import { z } from "zod";
import type { HostContext, SharedByRoutes } from "basehost";
import { withLanding, type LandingSource, type RenderedLanding } from "./landing-page.ts";
import { brand } from "../supabase/functions/_shared/product/brand.ts";
import {
  invitationPath,
  paths,
  sharedCardPath,
  verificationPath,
} from "../supabase/functions/_shared/product/paths.ts";

/** What a link to a page shows before it is opened. */
interface Preview {
  readonly title: string;
  readonly description: string;
}

const landing: Preview = {
  title: `${brand.name}: 10x your income in six months, or stay for free`,
  description:
    "A paid membership for people who want to earn more. Four levels, from community to wealth. 10x your income within six months, or your money back and the rest for free.",
};
const guarantee: Preview = {
  title: `The guarantee · ${brand.name}`,
  description:
    "10x your income within six months, or your money back and the rest for free: what it asks of a member, and how a claim is decided.",
};
const terms: Preview = {
  title: `Terms · ${brand.name}`,
  description: "What you buy, what it costs, how you leave, and how we treat one another.",
};
const privacy: Preview = {
  title: `Privacy · ${brand.name}`,
  description: "What we keep about you, why, for how long, and what you can ask for.",
};
const refunds: Preview = {
  title: `Refunds · ${brand.name}`,
  description: "Fourteen days to change your mind, and what holds after them.",
};
const verification: Preview = {
  title: `Verify a certificate · ${brand.name}`,
  description: `Every certificate of ${brand.name} has a code. Enter it to see whether the certificate is real.`,
};
const invitation: Preview = {
  title: `A member invited you to ${brand.name}`,
  description: landing.description,
};
const sharedCard: Preview = {
  title: `Shared by a member of ${brand.name}`,
  description: brand.tagline,
};

/** What the database publishes under a code; null for an unknown one. */
export type ReadCode = (kind: "certificate" | "card", code: string) => Promise<unknown>;

const card = z.object({ name: z.string(), title: z.string(), line: z.string(), day: z.string() });
const certificate = z.object({
  name: z.string(),
  course: z.string(),
  completed_on: z.string(),
  is_revoked: z.boolean(),
});

const dayFormat = new Intl.DateTimeFormat(brand.locale, { dateStyle: "long", timeZone: "UTC" });
const longDay = (day: string) => dayFormat.format(new Date(`${day}T12:00:00Z`));

/** What a card says on its page. */
function ofCard(found: unknown): Preview {
  const parsed = card.safeParse(found);
  if (!parsed.success) return sharedCard;
  const { name, title, line, day } = parsed.data;
  return {
    title: `${title} · ${brand.name}`,
    description: `${line} ${name}, ${longDay(day)}.`,
  };
}

/** What a certificate says on its page; nothing of a revoked one. */
function ofCertificate(found: unknown): Preview {
  const parsed = certificate.safeParse(found);
  if (!parsed.success || parsed.data.is_revoked) return verification;
  const { name, course, completed_on: day } = parsed.data;
  return {
    title: `Certificate: ${course} · ${brand.name}`,
    description: `${name} completed this course on ${longDay(day)}.`,
  };
}

/** A code as people copy it. What cannot be one is not looked up. */
const code = /^[a-z0-9 -]{20,40}$/i;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * Reads what a code opens. The procedures count their uses by a visitor; previews are spread over a few counters by code, because
 * all readers of a link may ask from the same address. Codes cannot be guessed.
 */
export function readCode(db: pg.Pool): ReadCode {
  const procedures = { certificate: "private.verify_certificate", card: "private.shared_card" };
  return async (kind, typed) => {
    const counter = sha256(`link preview ${sha256(typed).slice(0, 2)}`);
    const { rows } = await db.query<{ found: unknown }>(
      `select ${procedures[kind]}($1, $2) as found`,
      [typed, counter],
    );
    return rows[0]?.found ?? null;
  };
}

const compression = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const compressBrotli = promisify(brotliCompress);

/** Encodings in which the app's files are served. */
const encodings = {
  br: {
    open: promisify(brotliDecompress),
    close: async (bytes: Buffer) => await compressBrotli(bytes, compression),
  },
  gzip: { open: promisify(gunzip), close: promisify(gzip) },
} as const;

/** The page with what the preview shows in its head, in the encoding it came in. */
async function withPreview(
  page: Response,
  url: string,
  origin: string,
  preview: Preview,
  rendered: RenderedLanding | null,
) {
  const encoding = page.headers.get("content-encoding") as keyof typeof encodings | null;
  const bytes = Buffer.from(await page.arrayBuffer());
  const built = (encoding ? await encodings[encoding].open(bytes) : bytes).toString("utf8");
  const text = rendered === null ? built : withLanding(built, rendered);
  const { title, description } = preview;
  const properties = {
    "og:type": "website",
    "og:site_name": brand.name,
    "og:locale": brand.locale.replace("-", "_"),
    "og:title": title,
    "og:description": description,
    "og:url": url,
    "og:image": `${origin}/icons/app-512.png`,
  };
  const tags = await Promise.all([
    html`<title>${title}</title>`,
    html`<meta name="description" content="${description}" />`,
    ...Object.entries(properties).map(
      ([property, content]) => html`<meta property="${property}" content="${content}" />`,
    ),
  ]);
  const changed = Buffer.from(
    text
      .replace(/<title>[^<]*<\/title>/, "")
      .replace(/<meta\s+name="description"[^>]*>/, "")
      .replace("</head>", () => `${tags.join("")}</head>`),
  );
  return encoding ? await encodings[encoding].close(changed) : changed;
}

/**
 * Gives the pages that are shared a title, description and picture in their HTML, which is all that makers of link previews
 * read. The page itself is the app's; what cannot be looked up gets the words of its kind.
 */
export function createLinkPreviews(
  { log, publicUrl }: Pick<HostContext, "log" | "publicUrl">,
  { limitRequests }: Pick<SharedByRoutes, "limitRequests">,
  read: ReadCode,
  landingNow: LandingSource = async () => await Promise.resolve(null),
): Hono {
  /** The pages that are the same for everybody, ready to be sent: the landing page takes long to compress. */
  const kept = new Map<string, { readonly mark: string; readonly made: Promise<Buffer> }>();

  async function make(page: Response, url: string, preview: Preview, isFixed: boolean) {
    if (!isFixed) return await withPreview(page, url, publicUrl, preview, null);
    const rendered = preview === landing ? await landingNow() : null;
    const { headers } = page;
    const key = [headers.get("content-encoding"), url].join(" ");
    const mark = [headers.get("etag"), rendered?.mark].join(" ");
    const known = kept.get(key);
    if (known?.mark === mark) return await known.made;
    const made = withPreview(page, url, publicUrl, preview, rendered);
    kept.set(key, { mark, made });
    made.catch(() => kept.delete(key));
    return await made;
  }

  /** Answers with the page that follows, changed. */
  async function respond(
    c: Context,
    next: () => Promise<void>,
    preview: Preview,
    isFixed: boolean,
  ): Promise<void> {
    await next();
    const page = c.res;
    if (page.status !== 200 || !page.headers.get("content-type")?.startsWith("text/html")) return;
    const headers = new Headers(page.headers);
    // They are those of the file.
    for (const name of ["etag", "content-length", "last-modified", "accept-ranges"]) {
      headers.delete(name);
    }
    c.res = undefined;
    if (c.req.method === "HEAD") {
      c.res = new Response(null, { headers });
      return;
    }
    const body = await make(page, `${publicUrl}${c.req.path}`, preview, isFixed);
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 20)}"`;
    headers.set("etag", etag);
    if (c.req.header("if-none-match") === etag) {
      c.res = new Response(null, { status: 304, headers });
      return;
    }
    headers.set("content-length", String(body.length));
    c.res = new Response(new Uint8Array(body), { headers });
  }

  const fixed =
    (preview: Preview, isFixed = true): MiddlewareHandler =>
    async (c, next) =>
      await respond(c, next, preview, isFixed);
  const lookedUp =
    (kind: "certificate" | "card", show: (found: unknown) => Preview): MiddlewareHandler =>
    async (c, next) => {
      const typed = c.req.param("code") ?? "";
      const found = code.test(typed)
        ? await read(kind, typed).catch((error: unknown) => {
            log.warn({ err: error, kind }, "a link's preview was not looked up");
            return null;
          })
        : null;
      await respond(c, next, show(found), false);
    };

  const app = new Hono();
  app.get(paths.landing, fixed(landing));
  app.get(paths.guarantee, fixed(guarantee));
  app.get(paths.terms, fixed(terms));
  app.get(paths.privacy, fixed(privacy));
  app.get(paths.refunds, fixed(refunds));
  app.get(paths.verify, fixed(verification));
  app.get(invitationPath(":code"), fixed(invitation, false));
  app.get(verificationPath(":code"), limitRequests, lookedUp("certificate", ofCertificate));
  app.get(sharedCardPath(":code"), limitRequests, lookedUp("card", ofCard));
  return app;
}
