import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { BillingFixture, FunctionResult } from "./billing.ts";
import { uploadFunctions, type UploadedFunction } from "./management-api.ts";
import { startNpmRegistry } from "./npm-registry.ts";
import { freePort, projectRoot, spawnProgram, type Spawned } from "./spawn-product.ts";

const deno = join(
  projectRoot,
  "node_modules",
  "deno",
  process.platform === "win32" ? "deno.exe" : "deno",
);
const run = promisify(execFile);

/** The edge functions as on hosted Supabase: the files that the CLI uploads, and packages from a registry. */
export interface DenoFunctions {
  uploaded: readonly UploadedFunction[];
  /** Serves one function on its own port, with only these environment variables. */
  serve: (name: string, env: Readonly<Record<string, string>>) => Promise<DenoFunction>;
  stop: () => Promise<void>;
}

/** A function that runs under Deno. */
export interface DenoFunction {
  url: string;
  output: () => string;
  stop: () => Promise<void>;
}

/** Uploads the functions with the official CLI and installs their packages for Deno, without a network. */
export async function openDenoFunctions(): Promise<DenoFunctions> {
  const uploaded = await uploadFunctions();
  const folder = await mkdtemp(join(tmpdir(), "deno-functions-"));
  const system = { PATH: process.env["PATH"] ?? "", DENO_DIR: join(folder, "deno") };
  const quiet = { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
  const placeOf = (name: string, path: string) => join(folder, name, path);
  for (const { name, files } of uploaded) {
    for (const [path, text] of files) {
      await mkdir(dirname(placeOf(name, path)), { recursive: true });
      await writeFile(placeOf(name, path), text);
    }
  }
  const configOf = (name: string) => `--config=${placeOf(name, "supabase/functions/deno.json")}`;
  const entryOf = (name: string) => placeOf(name, `supabase/functions/${name}/index.ts`);
  const registry = await startNpmRegistry();
  try {
    for (const { name } of uploaded) {
      await run(deno, ["cache", "--no-lock", configOf(name), entryOf(name)], {
        env: { ...system, ...quiet, NPM_CONFIG_REGISTRY: registry.url },
        cwd: placeOf(name, "supabase"),
      });
    }
  } finally {
    // The packages are cached now: nothing may be fetched at the first request.
    await registry.stop();
  }
  return {
    uploaded,
    serve: async (name, env) => {
      const port = await freePort();
      const permissions = ["--allow-net", "--allow-env", "--allow-sys", "--allow-read"];
      const options = ["--cached-only", "--no-lock", "--no-prompt", configOf(name)];
      const spawned: Spawned = spawnProgram(
        deno,
        ["run", ...permissions, ...options, entryOf(name)],
        {
          ...system,
          ...quiet,
          NPM_CONFIG_REGISTRY: registry.url,
          DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
          ...env,
        },
        placeOf(name, "supabase"),
      );
      await spawned.says(`127.0.0.1:${port}`);
      return {
        url: `http://127.0.0.1:${port}`,
        output: spawned.output,
        stop: async () => {
          spawned.child.kill("SIGTERM");
          await spawned.ended;
        },
      };
    },
    stop: async () => await rm(folder, { recursive: true, force: true }),
  };
}

/** What a caller sends to a function. */
export interface FunctionCall {
  bearer?: string;
  headers?: Record<string, string>;
  body: string;
}

/** Posts to a function wherever it runs. A file is answered as base64. */
export async function postToFunction(
  url: string,
  { bearer, headers, body }: FunctionCall,
): Promise<FunctionResult> {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...authorization, ...headers },
    body,
  });
  if (answer.headers.get("content-type") === "application/octet-stream")
    return {
      status: answer.status,
      body: { bytes: Buffer.from(await answer.arrayBuffer()).toString("base64") },
    };
  return { status: answer.status, body: (await answer.json()) as FunctionResult["body"] };
}

/** The variables hosted Supabase gives to functions, without the legacy keys, and the operator's own. */
export function hostedFunctionEnv(
  { host, sandbox }: Pick<BillingFixture, "host" | "sandbox">,
  smtpUrl: string,
): Record<string, string> {
  return {
    SUPABASE_URL: host.url,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: host.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: host.secretKey }),
    STRIPE_SECRET_KEY: sandbox.secretKey,
    STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
    STRIPE_API_BASE: sandbox.apiBase,
    SCHEDULE_SECRET: "s".repeat(40),
    SITE_URL: host.url,
    SMTP_URL: smtpUrl,
    MAIL_FROM: "hello@example.test",
  };
}

/** What differs between two people or two moments, replaced by its type. */
export function shapeOf({ status, body }: FunctionResult): FunctionResult {
  const isOwn = (value: unknown) =>
    typeof value === "number" ||
    (typeof value === "string" && /^((cus|sub|seti|re|price)_|[0-9a-f]{8}-)/.test(value));
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    isOwn(value) ? typeof value : value,
  ]);
  return { status, body: Object.fromEntries(entries) as FunctionResult["body"] };
}
