import { createContext, use, type ReactNode } from "react";
import type { AuthRedirectParams } from "./auth-redirect.ts";
import type { BackendClient } from "./backend-client.ts";
import type { AppConfig } from "./config.ts";

export interface Backend {
  readonly client: BackendClient;
  readonly config: AppConfig;
  readonly authRedirect: AuthRedirectParams;
}

const BackendContext = createContext<Backend | null>(null);

export function BackendProvider({
  backend,
  children,
}: {
  readonly backend: Backend;
  readonly children: ReactNode;
}) {
  return <BackendContext value={backend}>{children}</BackendContext>;
}

/** The client and the configuration; null where a page is rendered without them, as those for visitors are. */
export function useOptionalBackend(): Backend | null {
  return use(BackendContext);
}

/** The client and the configuration. Throws outside the provider. */
export function useBackend(): Backend {
  const backend = use(BackendContext);
  if (backend === null) throw new Error("useBackend was called outside BackendProvider");
  return backend;
}
