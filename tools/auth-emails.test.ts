import { describe, expect, it } from "vitest";
import { authEmailFiles } from "./auth-emails.ts";

const files = Object.entries(authEmailFiles());

describe("the e-mails of the auth service", () => {
  it.each([
    ["confirmation", "signup"],
    ["recovery", "recovery"],
    ["email_change", "email_change"],
    ["invite", "invite"],
  ])("%s leads to the page with a button, which opens a link of type %s", (name, type) => {
    const html = authEmailFiles()[`supabase/templates/${name}.html`];
    expect(html).toContain(
      `href="{{ .SiteURL }}/confirm?token_hash={{ .TokenHash }}&amp;type=${type}"`,
    );
  });

  it.each(files)("%s has no link that works by being looked at", (_, html) => {
    expect(html).not.toContain("ConfirmationURL");
  });
});
