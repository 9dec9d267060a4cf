import type { StripeKeys } from "../../tools/product-config.ts";

/** How tests reach a running host; plain data, so that it can cross worker boundaries. */
export interface RunningHost {
  url: string;
  anonKey: string;
  serviceRoleKey: string;
  publishableKey: string;
  secretKey: string;
  jwtSecret: string;
  /** Connection string of the owner login. */
  databaseUrl: string;
  dataDir: string;
  /** Folder of the S3 server that keeps its files, if they are in a bucket. */
  bucketFolder?: string;
}

/** How tests reach the card-provider sandbox of the product. */
export interface RunningSandbox extends StripeKeys {
  /** Origin of the provider's API. */
  apiBase: string;
  /** Base URL of the sandbox's controls: injected failures, the clock and webhook deliveries. */
  controlBase: string;
}

declare module "vitest" {
  interface ProvidedContext {
    host: RunningHost;
    sandbox: RunningSandbox;
  }
}
