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
}

declare module "vitest" {
  interface ProvidedContext {
    host: RunningHost;
  }
}
