import { describe, expect, test } from "vitest";
import { emailTemplates, writeEmail, type EmailTemplateName } from "./email-templates.ts";
import { renderEmail } from "./render-email.ts";
import { sampleEmails } from "./sample-emails.ts";

const names = Object.keys(emailTemplates) as EmailTemplateName[];
const siteUrl = "https://members.example.test/";
const hostile = `<img src=x onerror=alert(1)> "'&\r\nBcc: victim@example.test\u2028<a href="https://evil.test">`;

function render(name: EmailTemplateName, firstName: string | null = "Ada", data = {}) {
  const content = writeEmail(name, { ...sampleEmails[name], ...data });
  return { content, ...renderEmail(content, { firstName, siteUrl }) };
}

/** What a mail reader shows of the HTML. */
function visibleText(html: string): string {
  return html.replace(/<style>[\s\S]*?<\/style>/, "").replaceAll(/<[^>]*>/g, " ");
}

describe.each(names)("the e-mail %s", (name) => {
  test("has a subject, a text without markup and the same statements in HTML", () => {
    const { subject, text, html, content } = render(name);
    expect(subject).toMatch(/^[^\n<]{5,78}$/);
    expect(text).not.toMatch(/<[a-z/!]|&(?:amp|lt|gt|quot|#39);|undefined|null|\[object/);
    expect(html).not.toMatch(/undefined|null|\[object|<img|<script/);
    expect(text).toContain(content.heading);
    expect(html).toContain(`>${content.heading.replaceAll("'", "&#39;")}</h1>`);
    expect(text).toContain("Hello Ada,");
  });

  test("says why it came and where to change the choices, and links to the site only", () => {
    const { text, html, content } = render(name);
    expect(text).toContain(`You get this email because ${content.because}`);
    expect(visibleText(html)).toContain("You get this email because");
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href);
    // A suspended member can't sign in, so no page behind the sign-in is offered.
    const choices = "https://members.example.test/account#notifications";
    expect(links.includes(choices)).toBe(name !== "account_suspended");
    expect(text.includes(choices)).toBe(name !== "account_suspended");
    for (const link of links) {
      expect(link).toMatch(/^(?:https:\/\/members\.example\.test\/\w|mailto:support@)/);
    }
    const { action } = content;
    if (action !== undefined && "path" in action) {
      expect(text).toContain(`https://members.example.test${action.path}`);
    }
  });

  test("begins with the sentence that mail readers show beside the subject", () => {
    const { html, content } = render(name);
    const body = visibleText(html.slice(html.indexOf("<body"))).trim();
    const [first] = content.blocks;
    const said =
      content.preview ?? (first !== undefined && "text" in first ? first.text : content.heading);
    expect(body.replaceAll("&#39;", "'").startsWith(said.slice(0, 40))).toBe(true);
  });

  test("escapes whatever its values hold", () => {
    const strings = Object.entries(sampleEmails[name]).filter(
      ([key]) => !["currency", "expires", "document_type", "why"].includes(key),
    );
    const isFree = (key: string) => !/_at$|until$|^amount$|_version$/.test(key);
    const data = Object.fromEntries(
      strings.map(([key, value]) => [
        key,
        isFree(key) && !Array.isArray(value) && key !== "count" ? hostile : value,
      ]),
    );
    const { subject, text, html } = render(name, hostile, data);
    expect(html).not.toMatch(/<img|href="https:\/\/evil/);
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(subject).not.toMatch(/[\r\n\u2028]/);
    expect(text).not.toMatch(/^Bcc:/m);
  });

  test("greets without a name when there is none", () => {
    expect(render(name, null).text).toContain("\nHello,\n");
  });

  test("is refused without what it has to say", () => {
    const needed = [
      "receipt",
      "course_receipt",
      "course_refunded",
      "course_disputed",
      "course_dispute_won",
      "card_expiring",
      "plan_changed",
      "identity_rejected",
      "payment_refunded",
      "payment_disputed",
      "dispute_won",
      "dispute_opened",
      "guarantee_granted",
      "guarantee_baseline",
      "guarantee_check_in",
      "guarantee_claim_open",
      "digest",
    ];
    const empty = () => writeEmail(name, {});
    if (needed.includes(name)) expect(empty).toThrow();
    expect(() => writeEmail(name, "no object")).toThrow();
  });
});

describe("a changed text", () => {
  test("takes the place of the default, with the values filled in once and all of it as text", () => {
    const content = writeEmail(
      "welcome",
      { plan: "{plan} & <b>Access</b>" },
      { subject: "Hello to {plan}", next: "<script>alert(1)</script> {plan} {other}" },
    );
    expect(content.subject).toBe("Hello to {plan} & <b>Access</b>");
    const { html, text } = renderEmail(content, { firstName: "Ada", siteUrl });
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt; {plan} &amp; &lt;b&gt;");
    expect(html).not.toContain("<script>");
    expect(text).toContain("{other}");
    expect(text).toContain("membership is active.");
  });

  test("that no template has changes nothing, whatever its name", () => {
    const changed = { toString: "x", footer: "y" };
    expect(writeEmail("welcome", {}, changed)).toEqual(writeEmail("welcome", {}));
  });
});

describe("an e-mail", () => {
  test("that does not exist is refused", () => {
    for (const name of ["no_such_email", "constructor", "__proto__"]) {
      expect(() => writeEmail(name, {})).toThrow(`There is no e-mail ${name}.`);
    }
  });

  test("writes amounts and dates as members read them", () => {
    const { subject, text } = render("receipt");
    expect(subject).toBe("Your receipt: £50.00");
    expect(text).toContain("Date: 22 November 2026");
    expect(render("receipt", null, { amount: 12_345, currency: "jpy" }).subject).toMatch(/12,345$/);
  });

  test("leads to the receipt itself where its invoice is known", () => {
    expect(render("receipt").text).toContain("/subscriptions/invoices/in_1QxT2bLkdIwHu7ixAbCdEfG");
    const without = render("receipt", null, { invoice_id: undefined }).text;
    expect(without).not.toContain("/invoices");
    expect(without).toContain("/subscriptions");
  });

  test("about a course names the course and no membership", () => {
    const courses = names.filter((name) => name.startsWith("course_"));
    expect(courses).toHaveLength(4);
    for (const name of courses) {
      const { text } = render(name);
      expect(text).toContain("Letters That Get Answers");
      expect(text).toContain("https://members.example.test/your-courses");
      expect(text.replace(/You get this email[\s\S]*/, "")).not.toMatch(/membership|subscriptions/);
    }
    expect(render("dispute_opened", "Ada", { course: "Letters" }).text).toContain("For: Letters");
  });

  test("tells the lines of a digest with their addresses, and how many more there are", () => {
    const { text, html } = render("digest");
    expect(text).toContain(
      "* Tom Whitfield mentioned you in General\n  https://members.example.test/chats/general#",
    );
    expect(text).toContain("Grace Okafor and 3 others liked your submission");
    expect(text).toContain("And 9 more.");
    expect(html).toContain('href="https://members.example.test/learning/submissions?submission=');
    const one = render("digest", "Ada", { count: 3 });
    expect(one.text).not.toContain("more.");
    const evil = { kind: "mention", topic: "rooms", actor: hostile, room: hostile, others: 0 };
    const forged = render("digest", "Ada", { lines: [{ ...evil, chat_room_id: '"><img src=x>' }] });
    expect(forged.html).not.toMatch(/<img|href="https:\/\/evil/);
    expect(forged.text).not.toMatch(/^Bcc:/m);
  });

  test("says under all else who sells, in one line and as text", () => {
    const content = writeEmail("welcome", sampleEmails.welcome);
    const seller = `Fourfold & Sons Ltd, 1 Road,\nLondon, <b>VAT number</b> GB1`;
    const { html, text } = renderEmail(content, { firstName: "Ada", siteUrl, seller });
    expect(text.endsWith("\n\nFourfold & Sons Ltd, 1 Road, London, <b>VAT number</b> GB1")).toBe(
      true,
    );
    expect(html).toContain(
      "Fourfold &amp; Sons Ltd, 1 Road, London, &lt;b&gt;VAT number&lt;/b&gt; GB1",
    );
    expect(renderEmail(content, { firstName: "Ada", siteUrl }).text).not.toContain("Ltd");
  });

  test("a digest says in its subject how many things, and beside it which", () => {
    const many = render("digest");
    expect(many.subject).toBe("12 things you missed");
    expect(many.html).toMatch(/<div hidden[^>]*>Tom Whitfield mentioned you in General · Grace/);
    expect(render("digest", "Ada", { count: 1 }).subject).toBe("1 thing you missed");
  });

  test("quotes each line of a reason", () => {
    expect(render("identity_rejected").text).toContain(
      "> The picture is blurred.\n> The number can't be read.",
    );
  });
});

test("the line beside the subject ends with a whole character", () => {
  const blocks = [{ type: "paragraph", text: "😀".repeat(300) } as const];
  const content = {
    subject: "Hello",
    heading: "Hello",
    blocks,
    because: "so",
    canSwitchOff: false,
  };
  const { html } = renderEmail(content, { firstName: null, siteUrl });
  expect(/<div hidden[^>]*>([^<]*)</.exec(html)?.[1]).toBe("😀".repeat(140));
});

describe("the receipt of a contract's first payment", () => {
  test("names the terms in force and carries the form to withdraw with; later ones do not", () => {
    for (const name of ["receipt", "course_receipt"] as const) {
      const first = render(name, "Ada", { terms_version: 3 }).text;
      expect(first).toContain("The terms of your contract, version 3");
      expect(first).toMatch(/https?:\/\/\S+\/terms\?version=3\b/);
      expect(first).toContain("> I withdraw from my contract for a");
      const later = render(name, "Ada", { terms_version: undefined }).text;
      expect(later).not.toContain("withdraw");
    }
  });
});
