import { pino } from "pino";
import { reportDataFolder, runMain, serveUntilStopped } from "basehost";
import { demoAccounts, demoPassword } from "./demo/accounts.ts";
import { readEnvironment } from "./environment.ts";
import { startProduct } from "./product.ts";

/** `npm start`: the whole product on one port. */
async function main(): Promise<void> {
  const env = await readEnvironment(process.cwd(), process.env);
  reportDataFolder(env);
  const log = pino({ level: env["LOG_LEVEL"] ?? "info" });
  const product = await startProduct({ env, log });
  const { leave, databaseLost: lost } = product.host;
  serveUntilStopped(log, { leave, stop: product.stop, lost });
  const lines = [``, `Fourfold is ready on ${product.url}`, ``];
  if (product.demo) {
    lines.push(`Demo accounts (password ${demoPassword}):`);
    for (const account of demoAccounts) {
      lines.push(`  ${account.email.padEnd(28)} ${account.description}`);
    }
    lines.push(``, `Caught e-mail      ${product.url}/dev/inbox`);
  }
  if (product.sandbox) {
    lines.push(`Card provider      offline sandbox; pay with 4242 4242 4242 4242`);
  }
  process.stdout.write(`${lines.join("\n")}\n\n`);
}

await runMain(main);
