import { createClient, type Session } from "@supabase/supabase-js";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createBrowserRouter, useLocation, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import type { Database } from "@/database.types.ts";
import { specifiedRequirementRows } from "@/domain/testing/specified-requirements.ts";
import { SessionProvider } from "@/features/session/index.ts";
import type { AuthRedirectParams } from "@/lib/auth-redirect.ts";
import { BackendProvider, type Backend } from "@/lib/backend.tsx";
import { browserStorage } from "@/lib/browser-storage.ts";
import { systemClock } from "@/lib/clock.ts";
import type { AppConfig } from "@/lib/config.ts";
import { createRetryingFetch } from "@/lib/retrying-fetch.ts";
import { createQueryClient } from "@/lib/query-client.ts";
import { App } from "../app.tsx";
import { createFakeRealtime } from "./fake-realtime.ts";
import { afterThisTest } from "./leftovers.ts";
import { routes } from "../routes.tsx";

/** One request the app made, as the tests look at it. */
interface SeenRequest {
  /** Such as `POST /auth/v1/signup`. */
  readonly call: string;
  readonly body: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  /** A file in place of JSON. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Rows by table name; a list answers as it is, an object as one row, nothing as no row. */
export type Rows = Readonly<Record<string, object | readonly object[] | null>>;

export interface TestAppOptions {
  readonly rows?: Rows;
  /** Answers before the tables do. Return undefined to let them. */
  readonly reply?: (
    request: SeenRequest,
    address: URL,
  ) => Reply | undefined | Promise<Reply | undefined>;
  /** Starts with this session in storage. */
  readonly session?: Session;
  readonly config?: Partial<AppConfig>;
  /** Pages in place of the app's. */
  readonly routes?: RouteObject[];
  /** The link from an e-mail that began the visit; none when left out. */
  readonly authRedirect?: AuthRedirectParams;
}

const url = "http://backend.test";
export const adaId = "11111111-1111-4111-8111-111111111111";

/** A session as the authentication server answers it. */
export function sessionOf(email = "ada@example.com", id = adaId): Session {
  const now = Math.floor(Date.now() / 1000);
  const claims = btoa(JSON.stringify({ sub: id, email, role: "authenticated", exp: now + 3600 }));
  return {
    access_token: `${btoa('{"alg":"HS256"}')}.${claims}.signature`,
    refresh_token: "refresh",
    token_type: "bearer",
    expires_in: 3600,
    expires_at: now + 3600,
    user: {
      id,
      email,
      aud: "authenticated",
      app_metadata: {},
      user_metadata: {},
      created_at: "2026-01-01T00:00:00Z",
    },
  };
}

/** The rows of an onboarded, paying student; pass what differs. */
export function memberRows(
  differs: {
    readonly role?: string;
    readonly status?: string;
    readonly level?: number;
    readonly onboarded?: boolean;
  } = {},
): Rows {
  return {
    profiles: {
      id: adaId,
      role: differs.role ?? "student",
      onboarding_complete: differs.onboarded ?? true,
      first_name: "Ada",
      last_name: "Lovelace",
      occupation: "Analyst",
      bio: null,
    },
    stripe_subscriptions: {
      customer_id: "cus_1",
      subscription_id: "sub_1",
      status: differs.status ?? "active",
      price_id: "price_student_access",
      cancel_at_period_end: false,
    },
    user_levels: { current_level: differs.level ?? 1, unlocked_levels: [0, 1] },
  };
}

/** Where the client keeps its session. */
export const sessionKey = "sb-backend-auth-token";

/** The official client over an invented server, and what it was asked. */
function createFakeBackend(world: TestAppOptions) {
  const seen: SeenRequest[] = [];
  const session = world.session;
  if (session) localStorage.setItem(sessionKey, JSON.stringify(session));

  async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const address = new URL(request.url);
    const text = await request.text();
    const entry: SeenRequest = {
      call: `${request.method} ${address.pathname}`,
      body: parsed(text),
    };
    seen.push(entry);
    const reply = (await world.reply?.(entry, address)) ?? defaultReply(entry, request, world);
    const status = reply.status ?? 200;
    if (reply.bytes) {
      const type = { "content-type": "application/octet-stream" };
      return new Response(reply.bytes, { status, headers: type });
    }
    return new Response(status === 204 ? null : JSON.stringify(reply.body ?? null), {
      status,
      headers: { "content-type": "application/json", ...reply.headers },
    });
  }

  const live = createFakeRealtime();
  const client = createClient<Database>(url, "sb_publishable_test", {
    auth: { autoRefreshToken: false, detectSessionInUrl: false, storage: browserStorage },
    db: { retry: false },
    global: { fetch: createRetryingFetch(answer, systemClock) },
    realtime: { transport: live.transport },
  });
  afterThisTest(async () => {
    await client.auth.dispose();
    await client.realtime.disconnect();
  });
  const config: AppConfig = {
    backend: { supabaseUrl: url, supabaseAnonKey: "sb_publishable_test" },
    stripePublishableKey: null,
    stripeScriptUrl: null,
    vapidPublicKey: null,
    signInProviders: [],
    passkeys: false,
    securityKeys: false,
    ...world.config,
  };
  const backend: Backend = { client, config, authRedirect: world.authRedirect ?? { link: null } };
  return { backend, client, live, seen, calls: () => seen.map(({ call }) => call) };
}

/**
 * The app's cache, which asks again without the pause. It is emptied after the test: one that is left keeps its rows for
 * minutes, and a timer for each.
 */
function createTestCache(): QueryClient {
  const queries = createQueryClient();
  const options = queries.getDefaultOptions();
  queries.setDefaultOptions({ ...options, queries: { ...options.queries, retryDelay: 0 } });
  afterThisTest(() => queries.clear());
  return queries;
}

/** Renders the whole app at an address over the official client and an invented server. */
export function renderApp(path: string, world: TestAppOptions = {}) {
  const { backend, ...handles } = createFakeBackend(world);
  window.history.pushState(null, "", path);
  const router = createBrowserRouter(world.routes ?? routes);
  afterThisTest(() => router.dispose());
  const queries = createTestCache();
  const view = render(<App backend={backend} queries={queries} router={router} />);
  return { ...handles, queries, router, ...view };
}

/**
 * Renders one page alone, for tests that hold the time: no guard stands before it and no code is
 * fetched on the way. The address one is led to shows as `Now at …`.
 */
export function renderPage(page: ReactNode, world: TestAppOptions = {}) {
  const { backend, ...handles } = createFakeBackend(world);
  window.history.replaceState(null, "", "/");
  const router = createBrowserRouter([
    { path: "/", element: page },
    { path: "*", element: <Elsewhere /> },
  ]);
  afterThisTest(() => router.dispose());
  const view = render(
    <BackendProvider backend={backend}>
      <QueryClientProvider client={createTestCache()}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </BackendProvider>,
  );
  return { ...handles, router, ...view };
}

function Elsewhere() {
  return <p>Now at {useLocation().pathname}</p>;
}

/** JSON as what it says, an uploaded file as the text it is sent in. */
function parsed(text: string): unknown {
  if (text === "") return null;
  return /^[[{"]/.test(text) ? (JSON.parse(text) as unknown) : text;
}

/** What `my_today` answers a member for whom there is nothing. */
export const nothingToday = {
  level: 1,
  next_step: null,
  waiting: { count: 0, items: [], questions: 0 },
  baseline_until: null,
  pact: null,
  continue: { lesson: null, article: null },
  rooms: [],
};

/** What `my_notifications` answers a member who is told of nothing. */
export const nothingTold = {
  unread: 0,
  as_of: "2026-11-20T09:00:00.123456+00:00",
  items: [],
};

function defaultReply({ call }: SeenRequest, request: Request, world: TestAppOptions): Reply {
  if (call === "POST /auth/v1/token") return { body: sessionOf() };
  if (call === "POST /auth/v1/signup") return { body: sessionOf() };
  if (call === "POST /auth/v1/logout") return { status: 204 };
  if (call === "POST /rest/v1/rpc/effective_level") {
    return {
      body: (world.rows?.["user_levels"] as { current_level?: number })?.current_level ?? 0,
    };
  }
  if (call === "POST /rest/v1/rpc/my_notifications") return { body: nothingTold };
  if (call === "POST /rest/v1/rpc/unread_rooms") return { body: 0 };
  if (call === "POST /rest/v1/rpc/unread_conversations") return { body: 0 };
  if (call === "POST /rest/v1/rpc/my_today") return { body: nothingToday };
  const table = /^GET \/rest\/v1\/(\w+)$/.exec(call)?.[1];
  if (table === undefined)
    return call.startsWith("POST /rest/v1/") ? { status: 201 } : { body: {} };
  const value =
    world.rows?.[table] ?? (table === "level_requirements" ? specifiedRequirementRows : []);
  const rows = Array.isArray(value) ? (value as readonly object[]) : [value];
  if (request.headers.get("accept")?.includes("vnd.pgrst.object") !== true) return { body: rows };
  return rows.length === 1
    ? { body: rows[0] }
    : { status: 406, body: { code: "PGRST116", message: "0 rows", details: "0 rows" } };
}
