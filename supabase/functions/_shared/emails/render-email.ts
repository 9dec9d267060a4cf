import { brand } from "../product/brand.ts";
import { colours, emailStyle, markHtml } from "./email-style.ts";

/** A part of an e-mail's body. Every string is plain text; rendering escapes it. */
export type EmailBlock =
  | { type: "paragraph"; text: string }
  /** What somebody wrote, set apart. */
  | { type: "quote"; text: string }
  /** Labels and values, such as an amount and a date. */
  | { type: "facts"; rows: readonly (readonly [label: string, value: string])[] }
  /** Sentences that each lead to a page of the product's site. */
  | { type: "links"; rows: readonly { readonly text: string; readonly path: string }[] };

/** What an e-mail says, without markup. */
export interface EmailContent {
  subject: string;
  heading: string;
  /** What mail readers show beside the subject; the first paragraph without it. */
  preview?: string;
  blocks: readonly EmailBlock[];
  /** The one next step: `path` on the product's site, or a whole address. */
  action?: { label: string } & ({ path: string } | { url: string });
  /** Why the member gets it: continues "You get this email because". */
  because: string;
  /** False for e-mails about money, identity and security. */
  canSwitchOff: boolean;
  /** True when the member can't sign in at present, so that nothing in it may lead to a page behind the sign-in. */
  isSignedOut?: boolean;
}

/** A rendered e-mail. */
export interface RenderedEmail {
  subject: string;
  text: string;
  html: string;
}

const choicesPath = "/account#notifications";
/** Characters; mail readers show fewer. */
const maxPreviewLength = 140;

/** Escapes text for use between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** One line without control characters, so that a value cannot add headers or lines. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function choiceSentence(canSwitchOff: boolean): string {
  return canSwitchOff
    ? "You can switch emails like this off in your account:"
    : "Emails like this can't be switched off. Others can, in your account:";
}

/** The start of an e-mail that mail readers show beside its subject, hidden in the e-mail itself. */
function previewOf(content: EmailContent): string {
  const [first] = content.blocks;
  const said =
    content.preview ??
    (first?.type === "paragraph" || first?.type === "quote" ? first.text : content.heading);
  return Array.from(oneLine(said)).slice(0, maxPreviewLength).join("");
}

function textOf(block: EmailBlock, site: string): string {
  switch (block.type) {
    case "paragraph":
      return oneLine(block.text);
    case "quote":
      return block.text
        .split(/\r?\n/)
        .map((line) => `> ${oneLine(line)}`)
        .join("\n");
    case "facts":
      return block.rows.map(([label, value]) => `${label}: ${oneLine(value)}`).join("\n");
    case "links":
      return block.rows.map(({ text, path }) => `* ${oneLine(text)}\n  ${site}${path}`).join("\n");
  }
}

function htmlOf(block: EmailBlock, site: string): string {
  switch (block.type) {
    case "paragraph":
      return `<p class="ink" style="margin:0 0 16px;">${escapeHtml(oneLine(block.text))}</p>`;
    case "quote": {
      const lines = block.text.split(/\r?\n/).map((line) => escapeHtml(oneLine(line)));
      return `<blockquote class="quote" style="margin:0 0 16px;padding:12px 16px;border-left:3px solid ${colours.line};background:${colours.sunken};">${lines.join("<br>")}</blockquote>`;
    }
    case "facts": {
      const rows = block.rows.map(
        ([label, value]) =>
          `<tr><td class="muted line" style="padding:8px 16px 8px 0;border-top:1px solid ${colours.line};color:${colours.muted};vertical-align:top;">${escapeHtml(label)}</td><td class="ink line" style="padding:8px 0;border-top:1px solid ${colours.line};text-align:right;font-weight:600;word-break:break-word;">${escapeHtml(oneLine(value))}</td></tr>`,
      );
      return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse;">${rows.join("")}</table>`;
    }
    case "links": {
      const rows = block.rows.map(
        ({ text, path }) =>
          `<li style="margin:0 0 8px;"><a class="link" href="${escapeHtml(site + path)}" style="color:${colours.ink};">${escapeHtml(oneLine(text))}</a></li>`,
      );
      return `<ul class="ink" style="margin:0 0 16px;padding:0 0 0 20px;">${rows.join("")}</ul>`;
    }
  }
}

/**
 * Renders an e-mail as plain text and as HTML for mail readers: one column, inline styles, no pictures.
 * @param options.firstName greets by name; null greets without one.
 * @param options.siteUrl origin of the site that links lead to.
 * @param options.seller who sells, in one line; nothing without it.
 */
export function renderEmail(
  content: EmailContent,
  options: { firstName: string | null; siteUrl: string; seller?: string },
): RenderedEmail {
  const site = options.siteUrl.replace(/\/+$/, "");
  const name = oneLine(options.firstName ?? "");
  const greeting = name === "" ? "Hello," : `Hello ${name},`;
  const { action } = content;
  const target = action === undefined ? "" : "url" in action ? action.url : site + action.path;
  const choices = `${site}${choicesPath}`;
  const because = `You get this email because ${content.because}`;
  const choice = choiceSentence(content.canSwitchOff);
  const seller = oneLine(options.seller ?? "");
  const help = `Questions? Write to ${brand.supportEmail}.`;
  const text = [
    content.heading,
    greeting,
    ...content.blocks.map((block) => textOf(block, site)),
    ...(action === undefined ? [] : [`${action.label}:\n${target}`]),
    `${brand.name}\n${help}`,
    "--",
    content.isSignedOut === true ? because : `${because} ${choice}\n${choices}`,
    ...(seller === "" ? [] : [seller]),
  ].join("\n\n");
  const foot =
    content.isSignedOut === true
      ? escapeHtml(because)
      : `${escapeHtml(because)} ${escapeHtml(choice)} <a class="link" href="${escapeHtml(choices)}" style="color:${colours.ink};">notification choices</a>.`;
  const button =
    action === undefined
      ? ""
      : `<p style="margin:24px 0;"><a class="button" href="${escapeHtml(target)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${colours.ink};color:${colours.raised};font-weight:600;text-decoration:none;">${escapeHtml(action.label)}</a></p>`;
  const html = `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(oneLine(content.subject))}</title>
<style>${emailStyle}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${colours.paper};">
<div hidden style="display:none;max-height:0;overflow:hidden;">${escapeHtml(previewOf(content))}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="paper" style="background:${colours.paper};"><tr><td align="center" style="padding:32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left;font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.6;color:${colours.ink};">
<tr><td style="padding:0 0 16px;"><table role="presentation" cellpadding="0" cellspacing="0"><tr><td style="padding:0 6px 0 0;vertical-align:middle;">${markHtml}</td><td class="ink" style="vertical-align:middle;font-family:Newsreader,Georgia,'Times New Roman',serif;font-size:20px;line-height:1.2;font-weight:600;">${escapeHtml(brand.name)}</td></tr></table></td></tr>
<tr><td class="card" style="padding:28px 24px;border:1px solid ${colours.line};border-radius:14px;background:${colours.raised};">
<h1 class="ink" style="margin:0 0 20px;font-family:Newsreader,Georgia,'Times New Roman',serif;font-size:26px;line-height:1.25;font-weight:600;">${escapeHtml(oneLine(content.heading))}</h1>
<p class="ink" style="margin:0 0 16px;">${escapeHtml(greeting)}</p>
${content.blocks.map((block) => htmlOf(block, site)).join("\n")}
${button}
<p class="muted" style="margin:24px 0 0;color:${colours.muted};font-size:14px;">Questions? Write to <a class="link" href="mailto:${escapeHtml(brand.supportEmail)}" style="color:${colours.ink};">${escapeHtml(brand.supportEmail)}</a>.</p>
</td></tr>
<tr><td class="muted" style="padding:20px 4px 0;color:${colours.muted};font-size:13px;">${foot}${seller === "" ? "" : `<br>${escapeHtml(seller)}`}</td></tr>
</table>
</td></tr></table>
</body>
</html>`;
  return { subject: oneLine(content.subject), text, html };
}
