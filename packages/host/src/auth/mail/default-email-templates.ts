// Subjects and texts of the auth e-mails for which config.toml sets no template.

/** The e-mails accounts receive, with the names of `[auth.email.template.*]` and `[auth.email.notification.*]`. */
export type EmailKind =
  | "confirmation"
  | "recovery"
  | "invite"
  | "magic_link"
  | "email_change"
  | "reauthentication"
  | "password_changed"
  | "email_changed"
  | "mfa_factor_enrolled"
  | "mfa_factor_unenrolled"
  | "identity_linked"
  | "identity_unlinked";

/** Subject and HTML body of an e-mail, with placeholders. */
export interface EmailTemplate {
  subject: string;
  html: string;
}

const ignoreParagraph =
  "<p>If this wasn't you, you can safely ignore this e-mail. Nothing will change.</p>";
const linkExpiryParagraph = "<p>The link works once, and only for a short while.</p>";

function emailTemplate(subject: string, ...paragraphs: string[]): EmailTemplate {
  const body = ["<p>Hello,</p>", ...paragraphs, "<p>With kind regards<br>{{ .Brand }}</p>"];
  return { subject, html: body.join("\n") };
}

function link(label: string): string {
  return `<p><a href="{{ .ConfirmationURL }}">${label}</a></p>`;
}

/** Default templates; a project sets its own in config.toml. */
export const defaultEmailTemplates: Readonly<Record<EmailKind, EmailTemplate>> = {
  confirmation: emailTemplate(
    "Please confirm your e-mail address",
    "<p>Thank you for signing up to {{ .Brand }}. Please confirm that this is your address:</p>",
    link("Confirm my address"),
    linkExpiryParagraph,
    ignoreParagraph,
  ),
  recovery: emailTemplate(
    "Choose a new password",
    "<p>Somebody, most likely you, asked for a new password for your {{ .Brand }} account.</p>",
    link("Choose a new password"),
    linkExpiryParagraph,
    ignoreParagraph,
  ),
  invite: emailTemplate(
    "You have been invited to {{ .Brand }}",
    "<p>You have been invited to join {{ .Brand }}. To accept, open this link:</p>",
    link("Accept the invitation"),
    linkExpiryParagraph,
  ),
  magic_link: emailTemplate(
    "Your link to sign in",
    "<p>Here is the link that signs you in to {{ .Brand }}:</p>",
    link("Sign in"),
    linkExpiryParagraph,
    ignoreParagraph,
  ),
  email_change: emailTemplate(
    "Please confirm your new e-mail address",
    "<p>You asked us to change the address of your {{ .Brand }} account from {{ .Email }} to {{ .NewEmail }}. Please confirm the change:</p>",
    link("Confirm the change"),
    linkExpiryParagraph,
    ignoreParagraph,
  ),
  reauthentication: emailTemplate(
    "{{ .Token }} is your confirmation code",
    "<p>To confirm that it's you, please enter this code:</p>",
    "<p><strong>{{ .Token }}</strong></p>",
    "<p>It works once, and only for a short while. Please don't share it with anybody, us included.</p>",
  ),
  password_changed: emailTemplate(
    "Your password was changed",
    "<p>The password of your {{ .Brand }} account {{ .Email }} has just been changed.</p>",
    "<p>If this wasn't you, please ask for a new password on the sign-in page straight away.</p>",
  ),
  mfa_factor_enrolled: emailTemplate(
    "A second factor was added",
    "<p>From now on your {{ .Brand }} account {{ .Email }} asks for a code when you sign in.</p>",
    "<p>If this wasn't you, change your password and contact us straight away.</p>",
  ),
  mfa_factor_unenrolled: emailTemplate(
    "A second factor was removed",
    "<p>A second factor of your {{ .Brand }} account {{ .Email }} has just been removed.</p>",
    "<p>If this wasn't you, change your password and contact us straight away.</p>",
  ),
  identity_linked: emailTemplate(
    "A new way to sign in was added",
    "<p>You can now also sign in to your {{ .Brand }} account {{ .Email }} with {{ .Provider }}.</p>",
    "<p>If this wasn't you, choose a new password and contact us straight away.</p>",
  ),
  identity_unlinked: emailTemplate(
    "A way to sign in was removed",
    "<p>You can no longer sign in to your {{ .Brand }} account {{ .Email }} with {{ .Provider }}.</p>",
    "<p>If this wasn't you, choose a new password and contact us straight away.</p>",
  ),
  email_changed: emailTemplate(
    "Your e-mail address was changed",
    "<p>The address of your {{ .Brand }} account was changed from {{ .OldEmail }} to {{ .Email }}.</p>",
    "<p>If this wasn't you, please contact us straight away.</p>",
  ),
};
