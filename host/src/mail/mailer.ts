/** One e-mail to one address; the text is what a reader without HTML sees. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** Sends e-mail, or keeps it for the inbox page of a local install. */
export interface Mailer {
  /** True when mail really leaves the machine; then new accounts confirm their address first. */
  readonly delivers: boolean;
  send: (mail: Mail) => Promise<void>;
}
