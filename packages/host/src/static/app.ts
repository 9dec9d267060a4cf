// Serves the built web app and `/config.json`, with the app's page as fallback for its client-side routes.

import { Hono, type Context } from "hono";
import { cors } from "hono/cors";
import type { HostContext } from "../context.ts";
import { listAssets, type Asset } from "./asset.ts";
import { staticHeaders, type CspSources } from "./page-headers.ts";
import { serveAsset } from "./serve-asset.ts";

const immutableCache = "public, max-age=31536000, immutable";
/** Paths that never fall back to the app's page. */
const nonPagePaths = /^\/(?:assets|(?:auth|rest|storage|realtime|functions)\/v1)(?:\/|$)/;

/** What is on: ways to sign in besides a password, and security keys as second factor. */
interface SignInWays {
  readonly providers: readonly string[];
  readonly passkeys: boolean;
  readonly securityKeys: boolean;
}

/** How the web app is served. */
export interface StaticOptions {
  /** Folder of the built app; none is served when undefined. */
  staticFolder: string | undefined;
  /** Named in `/config.json`. */
  signIn?: SignInWays;
  publicConfig?: Readonly<Record<string, unknown>>;
  /** Sources added to the pages' content security policy, by directive. */
  contentSecurityPolicy?: CspSources;
  /** Origins whose frames may ask the browser for a payment; other frames may not. */
  paymentFrames?: readonly string[];
}

function notFound(c: Context): Response {
  return c.json({ message: "Not found" }, 404, { "x-content-type-options": "nosniff" });
}

function cacheControl(asset: Asset): string {
  return asset.path.startsWith("/assets/") ? immutableCache : "no-cache";
}

/**
 * True when the app's page may answer: for whoever asks for HTML, and for programs that take anything, such as those that
 * make link previews or look whether the site is up. They don't get it in place of a file that is not there.
 */
function takesPage(path: string, accept: string): boolean {
  if (nonPagePaths.test(path)) return false;
  if (accept.includes("text/html")) return true;
  return (accept === "" || accept.includes("*/*")) && !path.includes(".");
}

/**
 * The file at `path`, a folder's index, or, when a browser asks for one of the app's routes, the page that the build wrote for
 * it (`/signin.html` for `/signin`), else the app's.
 */
function chooseAsset(
  assets: ReadonlyMap<string, Asset>,
  path: string,
  accept: string,
): Asset | undefined {
  const found = assets.get(path.endsWith("/") ? `${path}index.html` : path);
  if (found !== undefined || !takesPage(path, accept)) return found;
  return assets.get(`${path}.html`) ?? assets.get("/app.html") ?? assets.get("/index.html");
}

function decodePath(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return undefined;
  }
}

/**
 * Serves `/config.json` and, where there is one, the built web app. Mounted last: it answers unknown paths with 404.
 */
export function createStaticApp(context: HostContext, options: StaticOptions): Hono {
  const headers = staticHeaders(
    context,
    options.contentSecurityPolicy ?? {},
    options.paymentFrames,
  );
  const app = new Hono();

  app.use("/config.json", cors({ origin: "*" }));
  app.get("/config.json", (c) =>
    c.json(
      {
        supabaseUrl: context.publicUrl,
        supabaseAnonKey: context.keys.api.anonKey,
        ...(options.signIn?.providers.length && { signInProviders: options.signIn.providers }),
        ...(options.signIn?.passkeys && { passkeys: true }),
        ...(options.signIn?.securityKeys && { securityKeys: true }),
        ...options.publicConfig,
      },
      200,
      { ...headers.all, "cache-control": "no-store" },
    ),
  );

  if (options.staticFolder === undefined) {
    app.get("/", (c) => {
      const api = ["/auth/v1", "/rest/v1", "/storage/v1", "/functions/v1"];
      return c.json({ message: "This host serves an API.", api });
    });
    app.all("*", notFound);
    return app;
  }

  const listing = listAssets(options.staticFolder);
  // Requests await this promise and get its error. An unhandled rejection must not end the process.
  listing.catch((error: unknown) => {
    context.log.error({ err: error }, "the web app's files cannot be read");
  });
  app.get("*", async (c) => {
    const path = decodePath(c.req.url);
    if (path === undefined) return notFound(c);
    const asset = chooseAsset(await listing, path, c.req.header("accept") ?? "");
    if (asset === undefined) return notFound(c);
    const isPage = asset.type.startsWith("text/html");
    return await serveAsset(c.req.raw, asset, {
      ...headers.all,
      ...(isPage ? headers.page : {}),
      "cache-control": cacheControl(asset),
    });
  });
  app.all("*", notFound);
  return app;
}
