/** One e-mail to one address; the text is what a reader without HTML sees. */
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
  /** True when mail really leaves the machine; then new accounts confirm their address first. */
  readonly delivers: boolean;
  /** Rejects when the mail server refuses; the caller decides whether that matters. */
  send: (mail: Mail) => Promise<void>;
  /** Kept mail, newest first; always empty on a mailer that delivers. */
  caught: () => readonly CaughtMail[];
  /** Waits for mail that is on its way, but not for long. */
  close: () => Promise<void>;
}
