/** One e-mail to one address, with a plain-text and an optional HTML body. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** An e-mail that was kept instead of sent. */
export interface CaughtMail extends Mail {
  id: string;
  from: string;
  /** ISO time. */
  caughtAt: string;
}

/** Sends e-mail, or keeps it for the inbox page of a local install. */
export interface Mailer {
  /** True when mail leaves the machine; then new accounts must confirm their address. */
  readonly delivers: boolean;
  /** Rejects when the mail server rejects the e-mail. */
  send: (mail: Mail) => Promise<void>;
  /** Kept mail, newest first; always empty on a mailer that delivers. */
  caught: () => readonly CaughtMail[];
  /** Waits a few seconds for pending mail, then closes the connections. */
  close: () => Promise<void>;
}
