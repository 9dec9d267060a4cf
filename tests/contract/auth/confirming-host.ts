import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import pg from "pg";
import { newEmail, testPassword } from "../../support/clients.ts";
import type { RunningHost } from "../../support/running.ts";
import { clientOf } from "./requests.ts";
import { startSmtpSink, type SmtpSink } from "../../support/smtp-sink.ts";
import { startHostWith } from "./start-host-with.ts";

const configWith = (maxFrequency: string, auth = "") => `
[auth]
${auth}
site_url = "https://app.example.test"
additional_redirect_urls = ["https://*.example.test/welcome", "myapp://**"]

[auth.rate_limit]
sign_in_sign_ups = 100000
token_verifications = 100000
email_sent = 100000

[auth.email]
enable_confirmations = true
secure_password_change = true
max_frequency = "${maxFrequency}"
smtp = { sender_name = "Example & Sons" }

[auth.email.template.magic_link]
subject = "Code {{ .Token }}"
content_path = "./supabase/templates/magic-link.html"

[auth.email.notification.password_changed]
enabled = true
`;
const magicLinkTemplate = `<p>For {{ .Data.name }} at {{ .SiteURL }}: <b>{{ .Token }}</b></p>`;

/** A host that sends its e-mail, so that new addresses have to be confirmed. */
export interface ConfirmingHost {
  running: RunningHost;
  sink: SmtpSink;
  owner: pg.Pool;
  admin: SupabaseClient["auth"]["admin"];
  /** A confirmed account, signed in. */
  confirmed: (
    data?: Record<string, unknown>,
  ) => Promise<{ email: string; client: SupabaseClient; id: string }>;
  stop: () => Promise<void>;
}

/** @param options.maxFrequency time between two e-mails of one kind to one address, none unless given. @param options.tables further tables of config.toml; `auth` has further lines of `[auth]` */
export async function startConfirmingHost(
  options: {
    maxFrequency?: string;
    env?: Record<string, string>;
    tables?: string;
    auth?: string;
  } = {},
): Promise<ConfirmingHost> {
  const sink = await startSmtpSink();
  const config = configWith(options.maxFrequency ?? "0s", options.auth) + (options.tables ?? "");
  const { running, stop } = await startHostWith(config, {
    env: { ...options.env, SMTP_URL: sink.url, MAIL_FROM: "Example <hello@example.test>" },
    files: { "supabase/templates/magic-link.html": magicLinkTemplate },
  });
  const owner = new pg.Pool({ connectionString: running.databaseUrl, max: 2 });
  const { admin } = createClient(running.url, running.serviceRoleKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  }).auth;
  return {
    running,
    sink,
    owner,
    admin,
    confirmed: async (data = {}) => {
      const email = newEmail();
      const made = await admin.createUser({
        email,
        password: testPassword,
        email_confirm: true,
        user_metadata: data,
      });
      const client = clientOf(running);
      const { error } = await client.auth.signInWithPassword({ email, password: testPassword });
      if (error) throw error;
      return { email, client, id: made.data.user?.id ?? "" };
    },
    stop: async () => {
      await owner.end();
      await stop();
      await sink.stop();
    },
  };
}
