// The product with schedules of a few seconds, in a process of its own that can be stopped, frozen and killed.
import { pino } from "pino";
import { runMain, serveUntilStopped } from "basehost";
import { startProduct } from "../../../tools/product.ts";

const { TROUBLED_PROJECT: root = "", ...env } = process.env;

await runMain(async () => {
  const log = pino({ level: "info" });
  const product = await startProduct({
    env,
    log,
    root,
    authRateLimits: { sign_in_sign_ups: 100_000, email_sent: 100_000 },
  });
  const { leave, databaseLost: lost } = product.host;
  serveUntilStopped(log, { leave, stop: product.stop, lost });
  const { context } = product.host;
  const running = {
    url: product.url,
    ...context.keys.api,
    jwtSecret: env["SUPABASE_JWT_SECRET"],
    databaseUrl: context.db.url,
    dataDir: context.config.dataDir,
  };
  const sandbox = {
    apiBase: product.sandbox?.apiBase,
    controlBase: `${product.url}/sandbox/stripe/control`,
    ...product.stripe,
  };
  process.stdout.write(`running ${JSON.stringify({ running, sandbox })}\n`);
});
