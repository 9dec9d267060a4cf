import { createTransport } from "nodemailer";
import { secretKey } from "../api-keys.ts";
import { requireEnv, type Deps } from "../deps.ts";

/** Limits of one SMTP connection; all of them together are far below the lease of an e-mail. */
const timeoutMs = 20_000;
/** Limit of one e-mail from connecting to the server's answer. */
const sendTimeoutMs = 60_000;

/** A rendered e-mail to one address. */
export interface OutgoingEmail {
  /** Of the cause, so that a mail server or reader recognises a repetition. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The address that switches off e-mails like it; null when they can't be. */
  unsubscribe: string | null;
}

/** The headers of an e-mail that programs read. */
function headersOf({ unsubscribe }: OutgoingEmail): Record<string, string> {
  return {
    // RFC 3834: absence notices and other programs must not answer it.
    "Auto-Submitted": "auto-generated",
    // RFC 8058: mail programs offer to unsubscribe by one click.
    ...(unsubscribe === null
      ? {}
      : {
          "List-Unsubscribe": `<${unsubscribe}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }),
  };
}

/** Sends e-mail one at a time over one connection. */
export interface MailTransport {
  /**
   * @throws {MailServerDown} when the server cannot be reached.
   * @throws {MailServerBusy} when it wants fewer connections or a slower pace; any other error is about this e-mail.
   */
  send: (email: OutgoingEmail) => Promise<void>;
  close: () => void;
}

/** The mail server cannot be reached or takes no e-mail at all, so trying the next one is useless. */
export class MailServerDown extends Error {
  override readonly name = "MailServerDown";
}

/** The mail server takes no more at this pace: 421, or another temporary refusal that names connections or a rate. */
export class MailServerBusy extends Error {
  override readonly name = "MailServerBusy";
}

/** How the providers refuse for now what is too much of the whole sender, and not about one address. */
const busyAnswer = /throttl|too many|concurren|rate exceeded|connection limit/i;

/** @param error one of nodemailer's, with the server's answer when it gave one. */
function isAboutPace(error: unknown): boolean {
  if (!(error instanceof Error) || !("responseCode" in error)) return false;
  const code = Number(error.responseCode);
  return code === 421 || (code >= 400 && code < 500 && busyAnswer.test(error.message));
}

/** True when the server answered about this e-mail, so that others may still go out. */
function isAboutOneEmail(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EENVELOPE" || code === "EMESSAGE";
}

/** The address of a sender such as `Fourfold <hello@example.org>`. */
function domainOf(from: string): string {
  return /@([^\s>@]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
}

function smtpTransport(url: string, from: string): MailTransport {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: 1,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Content must not make the function read files or fetch URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  const domain = domainOf(from);
  return {
    send: async (email) => {
      const { id, to, subject, text, html } = email;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timeout = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          transport.close();
          reject(new MailServerDown("The mail server took too long."));
        }, sendTimeoutMs);
      });
      // An address is one recipient, whatever characters it has.
      const recipient = { name: "", address: to };
      const message = {
        messageId: `<${id}@${domain}>`,
        to: recipient,
        subject,
        text,
        html,
        headers: headersOf(email),
      };
      try {
        await Promise.race([transport.sendMail(message), timeout]);
      } catch (error) {
        if (isAboutPace(error)) {
          throw new MailServerBusy("The mail server asks to slow down.", { cause: error });
        }
        if (isAboutOneEmail(error) || error instanceof MailServerDown) throw error;
        throw new MailServerDown("The mail server did not take the e-mail.", { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
}

/** Hands e-mail to the inbox page of an install without a mail server. */
function catcherTransport(url: string, key: string): MailTransport {
  return {
    send: async ({ to, subject, text, html }) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ to, subject, text, html }),
      });
      if (!response.ok) throw new MailServerDown(`The inbox answered ${response.status}.`);
    },
    close: () => undefined,
  };
}

/**
 * The mail server of SMTP_URL, or the inbox of a local install.
 * @throws {Error} when neither is set.
 */
export function mailTransport(deps: Deps): MailTransport {
  const catcher = deps.env["MAIL_CATCHER_URL"] ?? "";
  if (catcher !== "") return catcherTransport(catcher, secretKey(deps));
  return smtpTransport(requireEnv(deps, "SMTP_URL"), requireEnv(deps, "MAIL_FROM"));
}
