import "@/lib/zod-without-eval.ts";
import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes } from "react-router";
import { App } from "@/app/app.tsx";
import { keepPaintedFrame, LoadingPage } from "@/app/loading-page.tsx";
import { routes } from "@/app/routes.tsx";
import { takeOver } from "@/app/static-pages/take-over.ts";
import { warmUp } from "@/app/warm-up.ts";
import { followAppearance } from "@/lib/appearance.ts";
import { consumeAuthRedirect } from "@/lib/auth-redirect.ts";
import { createBackendClient, createStandInClient } from "@/lib/backend-client.ts";
import { loadConfig } from "@/lib/config.ts";
import { tolerateForeignDom } from "@/lib/foreign-dom.ts";
import { createQueryClient } from "@/lib/query-client.ts";
import { keepTypedAhead } from "@/lib/typed-ahead.ts";
import { closeOnBack } from "@/ui/close-on-back.ts";

/** Shows the app. Its settings and the session are read first. */
export async function start(): Promise<void> {
  followAppearance(window);
  tolerateForeignDom(Node.prototype, document);
  closeOnBack(window);
  keepTypedAhead(window);
  const place = document.getElementById("root");
  if (place === null) throw new Error("The page has no #root element");
  keepPaintedFrame(place, window.location.pathname);
  const root = createRoot(takeOver(place, "[data-loading-page]"));
  root.render(<LoadingPage />);
  warmUp();

  // The page's code comes while the settings and the session are read; the router then finds it, or tells of its failure.
  for (const { route } of matchRoutes(routes, window.location) ?? []) {
    if (typeof route.lazy === "function") route.lazy().catch(() => undefined);
  }

  const config = await loadConfig(import.meta.env, window.location.origin);
  const client = config.backend ? createBackendClient(config.backend) : createStandInClient();
  const authRedirect = await consumeAuthRedirect(() => client.auth.initialize(), window);
  const queries = createQueryClient();
  const router = createBrowserRouter(routes);

  // Drawn in parts of a few milliseconds, between which a touch is answered.
  startTransition(() => {
    root.render(
      <StrictMode>
        <App backend={{ client, config, authRedirect }} queries={queries} router={router} />
      </StrictMode>,
    );
  });
}
