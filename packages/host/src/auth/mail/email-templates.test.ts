import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { parse } from "smol-toml";
import { afterAll, describe, expect, test } from "vitest";
import { BootError } from "../../boot-error.ts";
import { createInboxMailer } from "../../mail/inbox-mailer.ts";
import { defaultEmailTemplates, type EmailKind } from "./default-email-templates.ts";
import { EmailTemplates } from "./email-templates.ts";
import { readAuthSettings } from "../settings.ts";

const root = mkdtempSync(join(tmpdir(), "email-templates-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function templatesFrom(toml: string) {
  const project = { folder: join(root, "supabase"), settings: parse(toml) };
  const mailer = createInboxMailer("from@example.test");
  const templates = new EmailTemplates({
    settings: readAuthSettings(project, {}).email,
    project,
    siteUrl: "https://app.example.test",
    mailer,
    log: pino({ level: "silent" }),
  });
  return { templates, mailer };
}

const values = {
  ConfirmationURL: "https://api.example.test/verify?a=1&b=2",
  Token: "123456",
  Email: "a@example.test",
  NewEmail: "b@example.test",
  OldEmail: "o@example.test",
  Data: { name: "<script>alert(1)</script>", deep: { town: "Bath" } },
};

describe("e-mail templates", () => {
  test.each(Object.keys(defaultEmailTemplates) as EmailKind[])(
    "fill every placeholder of %s",
    (kind) => {
      const { templates } = templatesFrom("");
      const mail = templates.render(kind, "to@example.test", values);
      expect(mail.subject).not.toBe("");
      expect(`${mail.subject}${mail.html}${mail.text}`).not.toContain("{{");
      expect(mail.text).toContain("app.example.test");
      expect(mail.text).not.toMatch(/&amp;|<p>/);
    },
  );

  test("keep links intact in HTML and plain text", () => {
    const mail = templatesFrom("").templates.render("recovery", "to@example.test", values);
    expect(mail.html).toContain('href="https://api.example.test/verify?a=1&amp;b=2"');
    expect(mail.text).toContain("\nhttps://api.example.test/verify?a=1&b=2\n");
  });

  test("escape user metadata in HTML and in the subject", () => {
    writeFileSync(
      join(root, "own.html"),
      "<p>{{ .Data.name }} of {{ .Data.deep.town }}{{ .Data.none }}</p>",
    );
    const { templates } = templatesFrom(
      `[auth.email.template.recovery]\nsubject = "For {{ .Data.name }}"\ncontent_path = "./own.html"`,
    );
    const data = { ...values.Data, name: "<b>x</b>\r\nBcc: victim@example.test" };
    const mail = templates.render("recovery", "to@example.test", { ...values, Data: data });
    expect(mail.html).toContain("&lt;b&gt;x&lt;/b&gt;");
    expect(mail.html).toContain("of Bath</p>");
    expect(mail.subject).toBe("For <b>x</b> Bcc: victim@example.test");
  });

  test("throw BootError when a file is missing or uses an unsupported placeholder", () => {
    expect(() =>
      templatesFrom(`[auth.email.template.recovery]\ncontent_path = "./gone.html"`),
    ).toThrow(BootError);
    writeFileSync(join(root, "if.html"), "{{ if .Data.name }}x{{ end }}");
    expect(() =>
      templatesFrom(`[auth.email.template.recovery]\ncontent_path = "./if.html"`),
    ).toThrow(/only \{\{ \.Name \}\} is supported/);
  });

  test("report whether they show a code", () => {
    const { templates } = templatesFrom(`[auth.email.template.recovery]\nsubject = "{{.Token}}"`);
    expect(templates.showsCode("recovery")).toBe(true);
    expect(templates.showsCode("confirmation")).toBe(false);
  });

  test("send notifications only where they are enabled", () => {
    const disabled = templatesFrom("");
    disabled.templates.send("password_changed", "to@example.test", values);
    expect(disabled.mailer.caught()).toEqual([]);
    const { templates, mailer } = templatesFrom(
      `[auth.email.notification.password_changed]\nenabled = true\nsubject = "Changed"`,
    );
    templates.send("password_changed", "to@example.test", values);
    expect(mailer.caught()).toMatchObject([{ subject: "Changed", to: "to@example.test" }]);
  });
});
