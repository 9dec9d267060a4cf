#!/usr/bin/env node
import { parseArgs } from "node:util";
import { startSandbox, type SandboxPrice } from "./main.ts";

const usage = `Usage: card-sandbox [--port N] [--price ID:NAME:AMOUNT:CURRENCY:month|year]… [--webhook-url URL] [--data FILE]

AMOUNT is in minor units. The keys are sk_test_local and pk_test_local, the webhook secret is whsec_local.`;

const keys = {
  secretKey: "sk_test_local",
  publishableKey: "pk_test_local",
  webhookSecret: "whsec_local",
};
const priceFields = /^([^:]+):([^:]+):(\d+):([a-z]{3}):(month|year)$/;

/** @throws {Error} with a message for the operator. */
function readPrice(text: string): SandboxPrice {
  const [, id, productName, amount, currency, interval] = priceFields.exec(text) ?? [];
  if (id === undefined || productName === undefined || currency === undefined) {
    throw new Error(`--price ${text} is not ID:NAME:AMOUNT:CURRENCY:month|year.`);
  }
  const isYearly = interval === "year";
  return {
    id,
    productName,
    amountPence: Number(amount),
    currency,
    interval: isYearly ? "year" : "month",
  };
}

/** @throws {Error} with a message for the operator. */
function readPort(text: string): number {
  const port = Number(text);
  if (/^[1-9]\d{0,4}$/.test(text) && port <= 65_535) return port;
  throw new Error(`--port ${text} is not a port.`);
}

/** Runs the sandbox alone until a signal stops it. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "12111" },
      price: { type: "string", multiple: true, default: [] },
      "webhook-url": { type: "string" },
      data: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const webhookUrl = values["webhook-url"];
  const port = readPort(values.port);
  const sandbox = await startSandbox({
    ...keys,
    port,
    publicBase: `http://127.0.0.1:${port}`,
    prices: values.price.map(readPrice),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(values.data === undefined ? {} : { dataFile: values.data }),
  });
  let stopping: Promise<void> | undefined;
  // Ctrl-C often arrives twice, from the terminal and from npm.
  const stop = () => {
    stopping ??= sandbox.stop().then(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  process.stdout.write(`\n${sandbox.apiBase}\nsecret key        ${keys.secretKey}\n`);
  process.stdout.write(`publishable key   ${keys.publishableKey}\n`);
  process.stdout.write(`webhook secret    ${keys.webhookSecret}\n\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
