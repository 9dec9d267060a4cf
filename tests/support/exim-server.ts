import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./spawn-product.ts";
import { untilOpen } from "./until-open.ts";

const program = "/usr/sbin/exim4";
const username = "fourfold";

/** Whether Exim is installed (`apt-get install exim4-daemon-light`); it has to be started by root. */
export const hasExim = existsSync(program) && process.getuid?.() === 0;

/** A mail server of another maker, which takes e-mail from who signs in and keeps it. */
export interface EximServer {
  /** The `SMTP_URL` of who signs in with `password`. */
  urlWith: (password: string) => string;
  /** From now on this is the password; connections that are open stay signed in. */
  setPassword: (password: string) => Promise<void>;
  /** How many e-mails to this address it has taken. */
  countTo: (address: string) => Promise<number>;
  /** Ends it and removes what it keeps. */
  remove: () => Promise<void>;
}

/** Starts one that lets nobody in yet. */
export async function startEximServer(): Promise<EximServer> {
  const folder = await mkdtemp(join(tmpdir(), "exim-"));
  // It does its work as an account of its own.
  await chmod(folder, 0o755);
  const [spool, passwords] = [join(folder, "spool"), join(folder, "passwords")];
  await mkdir(spool);
  await chmod(spool, 0o777);
  const port = await freePort();
  const settings = join(folder, "exim.conf");
  await writeFile(passwords, "");
  await writeFile(
    settings,
    `primary_hostname = mail.example.test
spool_directory = ${spool}
log_file_path = ${spool}/%slog
pid_file_path = ${folder}/pid
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
auth_advertise_hosts = *
tls_advertise_hosts =
queue_only
acl_smtp_rcpt = recipients
begin acl
recipients:
  accept authenticated = *
  deny message = relay not permitted
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_set_id = $auth2
  server_condition = \${if eq{$auth3}{\${lookup{$auth2}lsearch{${passwords}}}}}
`,
  );
  const child = spawn(program, ["-C", settings, "-bdf"], { stdio: "ignore" });
  await untilOpen(port, "Exim");
  return {
    urlWith: (password) => `smtp://${username}:${password}@127.0.0.1:${port}`,
    setPassword: async (password) => await writeFile(passwords, `${username}: ${password}\n`),
    countTo: async (address) => {
      const names = (await readdir(join(spool, "input"))).filter((name) => name.endsWith("-H"));
      const heads = names.map(async (name) => await readFile(join(spool, "input", name), "utf8"));
      return (await Promise.all(heads)).filter((head) => head.includes(`\n${address}\n`)).length;
    },
    remove: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
