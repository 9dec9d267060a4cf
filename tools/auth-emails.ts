import { brand } from "../supabase/functions/_shared/product/brand.ts";
import {
  renderEmail,
  type EmailContent,
} from "../supabase/functions/_shared/emails/render-email.ts";

/**
 * A link to a page of ours with one button. The auth service's own link does its work when it is looked at, also by
 * programs that look at every link of an e-mail before its reader does.
 * @param type of the link, as `verifyOtp` takes it.
 */
const link = (label: string, type: "signup" | "recovery" | "email_change" | "invite") => ({
  label,
  url: `{{ .SiteURL }}/confirm?token_hash={{ .TokenHash }}&type=${type}`,
});
const paragraph = (text: string) => ({ type: "paragraph", text }) as const;
const once = "The link works once, for an hour.";
const ignore = "Wasn't it you? Then ignore this email: nothing will change.";
const alarm = (first: string) =>
  `Wasn't it you? ${first} straight away, and write to ${brand.supportEmail}.`;
const choosePassword = "Choose a new password";
/** The way out for somebody whose account is being taken, open without signing in. */
const toNewPassword = { label: "Choose a new password", path: "/reset-password" } as const;

/**
 * The e-mails of the auth service, by the names of `[auth.email.*]` in config.toml. The service fills in the
 * placeholders: this host, and hosted Supabase, know the same ones.
 */
export const authEmails: Readonly<Record<string, Omit<EmailContent, "subject" | "canSwitchOff">>> =
  {
    confirmation: {
      heading: "Confirm your address",
      blocks: [
        paragraph(
          `Thank you for signing up to ${brand.name}. Please confirm that this is your address.`,
        ),
        paragraph(`${once} ${ignore}`),
      ],
      action: link("Confirm my address", "signup"),
      because: "this address was used to sign up.",
    },
    recovery: {
      heading: "Choose a new password",
      blocks: [
        paragraph(`You asked for a new password for your ${brand.name} account.`),
        paragraph(`${once} ${ignore}`),
      ],
      action: link("Choose a new password", "recovery"),
      because: "a new password was asked for with this address.",
    },
    invite: {
      heading: `You are invited to ${brand.name}`,
      blocks: [
        paragraph(`You have been invited to join ${brand.name}.`),
        paragraph(
          "The link works once, for an hour. If you don't want to join, ignore this email.",
        ),
      ],
      action: link("Accept the invitation", "invite"),
      because: "someone in the team invited this address.",
    },
    email_change: {
      heading: "Confirm your new address",
      blocks: [
        paragraph(`You asked us to change the address of your ${brand.name} account.`),
        {
          type: "facts",
          rows: [
            ["From", "{{ .Email }}"],
            ["To", "{{ .NewEmail }}"],
          ],
        },
        paragraph(`${once} ${ignore}`),
      ],
      action: link("Confirm the change", "email_change"),
      because: "the address of your account is to change.",
    },
    reauthentication: {
      heading: "Your confirmation code",
      blocks: [
        paragraph("Enter this code to confirm that it's you:"),
        { type: "facts", rows: [["Code", "{{ .Token }}"]] },
        paragraph("It works once, for an hour. Don't share it with anyone. We never ask for it."),
      ],
      because: "somebody who is signed in to your account asked for a code.",
    },
    password_changed: {
      heading: "Your password was changed",
      blocks: [
        paragraph(`The password of your ${brand.name} account {{ .Email }} has just been changed.`),
        paragraph(alarm(choosePassword)),
      ],
      action: toNewPassword,
      because: "this concerns the security of your account.",
    },
    identity_linked: {
      heading: "A new way to sign in was added",
      blocks: [
        paragraph(
          `You can now also sign in to your ${brand.name} account {{ .Email }} with {{ .Provider }}.`,
        ),
        paragraph(alarm(choosePassword)),
      ],
      action: toNewPassword,
      because: "this concerns the security of your account.",
    },
    identity_unlinked: {
      heading: "A way to sign in was removed",
      blocks: [
        paragraph(
          `You can no longer sign in to your ${brand.name} account {{ .Email }} with {{ .Provider }}.`,
        ),
        paragraph(alarm(choosePassword)),
      ],
      action: toNewPassword,
      because: "this concerns the security of your account.",
    },
    mfa_factor_enrolled: {
      heading: "A second factor was added",
      blocks: [
        paragraph(
          `From now on your ${brand.name} account {{ .Email }} asks for a code from your phone when you sign in.`,
        ),
        paragraph(alarm(choosePassword)),
      ],
      action: toNewPassword,
      because: "this concerns the security of your account.",
    },
    mfa_factor_unenrolled: {
      heading: "A second factor was removed",
      blocks: [
        paragraph(
          `A second factor of your ${brand.name} account {{ .Email }} has just been removed.`,
        ),
        paragraph(alarm(choosePassword)),
      ],
      action: toNewPassword,
      because: "this concerns the security of your account.",
    },
  };

/** The files that config.toml names: HTML with the auth service's placeholders, by path from the root. */
export function authEmailFiles(): Record<string, string> {
  const files = Object.entries(authEmails).map(([name, content]) => {
    const whole = { ...content, subject: content.heading, canSwitchOff: false };
    const { html } = renderEmail(whole, { firstName: null, siteUrl: "{{ .SiteURL }}" });
    return [`supabase/templates/${name}.html`, `${html}\n`];
  });
  return Object.fromEntries(files) as Record<string, string>;
}
