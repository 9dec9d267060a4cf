import { listFunctions, openProject } from "basehost";
import type { RunningHost } from "./running.ts";
import { projectRoot } from "./spawn-product.ts";

/** What a run of send-emails answers; `code` when it could not run. */
export interface EmailRun {
  sent: number;
  delayed: number;
  failed: number;
  code?: string;
}

/** One scheduled run of send-emails with the mail server of `env`, over the database of a host. */
export async function runSendEmails(
  host: Pick<RunningHost, "url" | "secretKey" | "serviceRoleKey">,
  env: { readonly SMTP_URL: string; readonly [name: string]: string },
): Promise<EmailRun> {
  const target = listFunctions(await openProject(projectRoot)).get("send-emails");
  if (target === undefined) throw new Error("the project has no send-emails");
  const handle = await target.load();
  const request = new Request(`${host.url}/functions/v1/send-emails`, {
    method: "POST",
    headers: { authorization: `Bearer ${host.secretKey}` },
  });
  const answer = await handle(request, {
    env: {
      SUPABASE_URL: host.url,
      SUPABASE_SERVICE_ROLE_KEY: host.serviceRoleKey,
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: host.secretKey }),
      SITE_URL: "https://members.example.test",
      MAIL_FROM: "Fourfold <hello@example.test>",
      ...env,
    },
  });
  return (await answer.json()) as EmailRun;
}
