import { createTransport } from "nodemailer";
import type { CheckAnswer } from "./check-answer.ts";

/** An operator waits for it. */
const timeoutMs = 10_000;

/** Takes every password and address out of what a mail server said. */
const withoutSecrets = (text: string, url: URL) =>
  [url.password, decodeURIComponent(url.password)]
    .filter((secret) => secret !== "")
    .reduce((rest, secret) => rest.replaceAll(secret, "…"), text);

/** Signs in at the mail server without sending anything. */
export async function checkMailLogin(smtpUrl: string | undefined): Promise<CheckAnswer> {
  if (smtpUrl === undefined) return "none is sent: SMTP_URL is not set";
  const url = new URL(smtpUrl);
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await transport.verify();
    return `${url.host} ${url.username === "" ? "takes mail without a login" : "takes the login"}`;
  } catch (error) {
    const reason = withoutSecrets((error as Error).message, url);
    return { warning: `${url.host} takes no mail from here: ${reason}` };
  } finally {
    transport.close();
  }
}
