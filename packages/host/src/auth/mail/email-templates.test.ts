import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { parse } from "smol-toml";
import { afterAll, describe, expect, test } from "vitest";
import { BootError } from "../../config.ts";
import { createCatchingMailer } from "../../mail/inbox-mailer.ts";
import { DEFAULT_LETTERS, type LetterKind } from "./default-email-templates.ts";
import { Letters } from "./email-templates.ts";
import { readAuthSettings } from "../settings.ts";

const root = mkdtempSync(join(tmpdir(), "letters-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function lettersOf(toml: string) {
  const project = { folder: join(root, "supabase"), settings: parse(toml) };
  const mailer = createCatchingMailer("from@example.test");
  const letters = new Letters({
    settings: readAuthSettings(project, {}).email,
    project,
    siteUrl: "https://app.example.test",
    mailer,
    log: pino({ level: "silent" }),
  });
  return { letters, mailer };
}

const VALUES = {
  ConfirmationURL: "https://api.example.test/verify?a=1&b=2",
  Token: "123456",
  Email: "a@example.test",
  NewEmail: "b@example.test",
  OldEmail: "o@example.test",
  Data: { name: "<script>alert(1)</script>", deep: { town: "Bath" } },
};

describe("letters", () => {
  test.each(Object.keys(DEFAULT_LETTERS) as LetterKind[])("%s fills every placeholder", (kind) => {
    const { letters } = lettersOf("");
    const mail = letters.write(kind, "to@example.test", VALUES);
    expect(mail.subject).not.toBe("");
    expect(`${mail.subject}${mail.html}${mail.text}`).not.toContain("{{");
    expect(mail.text).toContain("app.example.test");
    expect(mail.text).not.toMatch(/&amp;|<p>/);
  });

  test("links survive the way into HTML and plain text", () => {
    const mail = lettersOf("").letters.write("recovery", "to@example.test", VALUES);
    expect(mail.html).toContain('href="https://api.example.test/verify?a=1&amp;b=2"');
    expect(mail.text).toContain("\nhttps://api.example.test/verify?a=1&b=2\n");
  });

  test("a member's own words cannot become markup or a second header line", () => {
    writeFileSync(
      join(root, "own.html"),
      "<p>{{ .Data.name }} of {{ .Data.deep.town }}{{ .Data.none }}</p>",
    );
    const { letters } = lettersOf(
      `[auth.email.template.recovery]\nsubject = "For {{ .Data.name }}"\ncontent_path = "./own.html"`,
    );
    const data = { ...VALUES.Data, name: "<b>x</b>\r\nBcc: victim@example.test" };
    const mail = letters.write("recovery", "to@example.test", { ...VALUES, Data: data });
    expect(mail.html).toContain("&lt;b&gt;x&lt;/b&gt;");
    expect(mail.html).toContain("of Bath</p>");
    expect(mail.subject).toBe("For <b>x</b> Bcc: victim@example.test");
  });

  test("templates that cannot be read or used stop the boot", () => {
    expect(() => lettersOf(`[auth.email.template.recovery]\ncontent_path = "./gone.html"`)).toThrow(
      BootError,
    );
    writeFileSync(join(root, "if.html"), "{{ if .Data.name }}x{{ end }}");
    expect(() => lettersOf(`[auth.email.template.recovery]\ncontent_path = "./if.html"`)).toThrow(
      /only \{\{ \.Name \}\} is supported/,
    );
  });

  test("know whether they show a code", () => {
    const { letters } = lettersOf(`[auth.email.template.recovery]\nsubject = "{{.Token}}"`);
    expect(letters.showsCode("recovery")).toBe(true);
    expect(letters.showsCode("confirmation")).toBe(false);
  });

  test("notices are sent only where they are switched on", () => {
    const quiet = lettersOf("");
    quiet.letters.post("password_changed", "to@example.test", VALUES);
    expect(quiet.mailer.caught()).toEqual([]);
    const { letters, mailer } = lettersOf(
      `[auth.email.notification.password_changed]\nenabled = true\nsubject = "Changed"`,
    );
    letters.post("password_changed", "to@example.test", VALUES);
    expect(mailer.caught()).toMatchObject([{ subject: "Changed", to: "to@example.test" }]);
  });
});
