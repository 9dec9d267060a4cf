import { randomBytes } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startHost } from "basehost";
import { startSmtpSink } from "../support/smtp-sink.ts";
import { highRequestBudgets } from "../support/start-fixture-host.ts";
import { startSuiteGateway } from "./gateway.ts";

/** A server that the suite expects: of the CLI's stack, or a container with the auth service alone. */
interface Server {
  port: number;
  /** Where the suite signs with it. The CLI's stands in every example, and this host refuses it. */
  jwtSecret: string;
  /** Text of its config.toml. */
  config: string;
  isContainer: boolean;
  sendsEmails: boolean;
}

/** Fixed in the suite. */
const containerSecret = "37c304f8-51aa-419a-a1af-06154e63707a";
const asymmetricSecret = "Z7-AyPyChGNcQsX16cPBV-pPBo4q-zckDxkq1VZjATo";

function container(
  port: number,
  { jwtSecret = containerSecret, auth = "", email = "", sendsEmails = false },
): Server {
  const config = `[auth]\nsite_url = "http://localhost:${port}"\n${auth}\n[auth.email]\n${email}\n`;
  return { port, jwtSecret, config, isContainer: true, sendsEmails };
}

/** The settings of the suite's own config.toml and docker-compose.yml, as far as they matter to its tests. */
async function serversOf(suite: string): Promise<Server[]> {
  const config = await readFile(join(suite, "test", "supabase", "config.toml"), "utf8");
  const jwtSecret = randomBytes(32).toString("hex");
  const keys = `signing_keys_path = "./signing_keys.json"`;
  return [
    { port: 54_321, jwtSecret, config, isContainer: false, sendsEmails: false },
    container(9999, { email: "enable_confirmations = true", sendsEmails: true }),
    container(9998, {}),
    container(9997, { auth: "enable_signup = false" }),
    container(9996, { jwtSecret: asymmetricSecret, auth: keys }),
  ];
}

/** Starts a host for each server that the suite expects, with a gateway on its port. */
export async function startServers(suite: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "auth-js-"));
  const mail = await startSmtpSink();
  const closing: (() => unknown)[] = [
    async () => await rm(folder, { recursive: true, force: true }),
    mail.stop,
  ];
  const close = async () => {
    for (const undo of closing.toReversed()) await undo();
  };
  try {
    for (const { port, jwtSecret, config, isContainer, sendsEmails } of await serversOf(suite)) {
      const root = join(folder, String(port));
      await mkdir(join(root, "supabase"), { recursive: true });
      // The suite signs up with passwords that everybody guesses.
      const settings = config.replace(/^\[auth\]$/m, "[auth]\nallow_guessable_passwords = true");
      await writeFile(join(root, "supabase", "config.toml"), settings);
      const keys = join(suite, "test", "supabase", "signing_keys.json");
      await copyFile(keys, join(root, "supabase", "signing_keys.json"));
      const publicUrl = `http://${isContainer ? "localhost" : "127.0.0.1"}:${port}`;
      const host = await startHost({
        root,
        env: {
          ...highRequestBudgets,
          PORT: "0",
          PUBLIC_URL: publicUrl,
          DATA_DIR: join(root, "data"),
          SUPABASE_JWT_SECRET: jwtSecret,
          SUPABASE_AUTH_EXTERNAL_GOOGLE_SECRET: "asked-for-and-not-used",
          ...(sendsEmails && { SMTP_URL: mail.url }),
        },
        authRateLimits: { sign_in_sign_ups: 100_000, email_sent: 100_000, token_refresh: 100_000 },
        log: pino({ level: process.env["LOG_LEVEL"] ?? "error" }),
        runSchedules: false,
      });
      closing.push(host.stop);
      const gateway = await startSuiteGateway(port, {
        to: host.url,
        apiKey: host.context.keys.api.anonKey,
        ...(isContainer && { prefix: "/auth/v1" }),
      });
      closing.push(gateway.close);
    }
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}
