import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Libraries that only a project with the feature, or the first request for it, needs. */
const loadedWhenNeeded = [
  "@aws-sdk/client-s3",
  "@opentelemetry/sdk-trace",
  "@simplewebauthn/server",
  "@tus/server",
  "@zxcvbn-ts/core",
  "card-sandbox",
  "ioredis",
  "nodemailer",
  "qrcode",
  "sharp",
];

const countLoaded = `
  import { registerHooks } from "node:module";
  const asked = new Set();
  registerHooks({ resolve: (name, context, next) => (asked.add(name), next(name, context)) });
  await import("basehost");
  process.stdout.write(JSON.stringify([...asked]));
`;

test("a start waits for no library that may not be needed", async () => {
  const script = ["--input-type=module", "--eval", countLoaded];
  const { stdout } = await promisify(execFile)(process.execPath, script);
  const asked = JSON.parse(stdout) as string[];
  expect(asked).toContain("hono");
  expect(asked.filter((name) => loadedWhenNeeded.includes(name))).toEqual([]);
});
