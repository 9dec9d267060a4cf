import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { createInboxMailer } from "./inbox-mailer.ts";
import { createInboxApp } from "./inbox.ts";

async function inboxWith(...mails: { subject: string; text: string; html?: string }[]) {
  const mailer = createInboxMailer("from@example.test");
  for (const mail of mails) await mailer.send({ to: "to@example.test", ...mail });
  const app = new Hono().route("/dev", createInboxApp(mailer));
  return { mailer, get: async (path: string) => await app.request(path) };
}

describe("the inbox of a local install", () => {
  test("lists mail newest first, as HTML and as JSON", async () => {
    const { get } = await inboxWith({ subject: "One", text: "1" }, { subject: "Two", text: "2" });
    const page = await (await get("/dev/inbox")).text();
    expect(page.indexOf("Two")).toBeLessThan(page.indexOf("One"));
    expect(page).toContain('<html lang="en-GB">');
    const json = (await (await get("/dev/inbox.json")).json()) as { subject: string }[];
    expect(json.map(({ subject }) => subject)).toEqual(["Two", "One"]);
    expect(await (await (await inboxWith()).get("/dev/inbox")).text()).toContain(
      "Nothing here yet",
    );
  });

  test("shows one e-mail with its links and escapes its markup", async () => {
    const { mailer, get } = await inboxWith({
      subject: "<img src=x onerror=alert(1)>",
      text: `See https://a.test/?x=1&y="z" <script>alert(1)</script>.`,
      html: "<script>alert(1)</script><p>Hi</p>",
    });
    const id = mailer.caught()[0]?.id;
    const page = await (await get(`/dev/inbox/${id}`)).text();
    expect(page).toContain('<a href="https://a.test/?x=1&amp;y=">');
    expect(page).not.toMatch(/<script|<img/);
    expect(page).toContain(`src="/dev/inbox/${id}/html"`);
    expect(page).toContain('title="The e-mail as a mail reader shows it"');
  });

  test("allows no script in its pages or in the e-mail's HTML", async () => {
    const { mailer, get } = await inboxWith({ subject: "s", text: "t", html: "<p>Hi</p>" });
    const id = mailer.caught()[0]?.id;
    for (const path of ["/dev/inbox", `/dev/inbox/${id}`, `/dev/inbox/${id}/html`]) {
      const policy = (await get(path)).headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("script-src");
    }
    const mail = await get(`/dev/inbox/${id}/html`);
    const policy = mail.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/sandbox allow-popups/);
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin/);
  });

  test("keeps the last 500 e-mails", async () => {
    const { mailer } = await inboxWith();
    for (let count = 0; count < 510; count += 1) {
      await mailer.send({ to: "x@example.test", subject: String(count), text: "" });
    }
    expect(mailer.caught()).toHaveLength(500);
    expect(mailer.caught()[0]?.subject).toBe("509");
  });

  test("responds 404 for an unknown e-mail", async () => {
    const { get } = await inboxWith();
    expect((await get("/dev/inbox/none")).status).toBe(404);
    expect((await get("/dev/inbox/none/html")).status).toBe(404);
  });
});
