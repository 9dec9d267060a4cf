import type { ComponentType } from "react";
import { QueryClientProvider } from "@tanstack/react-query";
import { prerender } from "react-dom/static";
import { createMemoryRouter, matchRoutes, RouterProvider } from "react-router";
import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import type { Role } from "@/domain/roles.ts";
import { SessionProvider } from "@/features/session/index.ts";
import { createStandInClient } from "@/lib/backend-client.ts";
import { BackendProvider, type Backend } from "@/lib/backend.tsx";
import { createQueryClient } from "@/lib/query-client.ts";
import { isInShell, requirementOf } from "../access/requirements.ts";
import { LoadingPage } from "../loading-page.tsx";
import { isPageHandle, type PageHandle } from "../page-title.tsx";
import { routes } from "../routes.tsx";
import { MembersFrame, type MembersFrameProps } from "./members-frame.tsx";

/** Whom a page is for: others are about to be led elsewhere, and do not see it first. */
type Audience = "visitors" | "members" | "everyone";

/** The pages whose HTML is written by the build. */
const staticPages: Readonly<Record<string, Audience>> = {
  [paths.auth]: "visitors",
  [paths.signUp]: "visitors",
  [paths.signIn]: "visitors",
  [paths.adminSignIn]: "visitors",
  [paths.paywall]: "members",
  [paths.guarantee]: "everyone",
  [paths.verify]: "everyone",
};

/** The page itself and its title, as the app's routes have them. */
async function routeAt(path: string): Promise<{ title: string; Component: ComponentType }> {
  const route = matchRoutes(routes, path)?.at(-1)?.route;
  const loaded = typeof route?.lazy === "function" ? await route.lazy() : undefined;
  const Component = loaded?.Component;
  if (!isPageHandle(route?.handle) || !Component) throw new Error(`${path} is no page of the app`);
  return { title: route.handle.title, Component };
}

/** A visitor whom nothing is known of yet. The client answers nothing, and nothing is asked of it. */
const backend: Backend = {
  client: createStandInClient(),
  config: {
    backend: { supabaseUrl: "http://backend.invalid", supabaseAnonKey: "none" },
    stripePublishableKey: "none",
    stripeScriptUrl: null,
    vapidPublicKey: null,
    signInProviders: [],
    passkeys: false,
    securityKeys: false,
  },
  authRedirect: { link: null },
};

async function render(path: string, Component: ComponentType): Promise<string> {
  const router = createMemoryRouter([{ path: "*", Component }], { initialEntries: [path] });
  const errors: unknown[] = [];
  const { prelude } = await prerender(
    <BackendProvider backend={backend}>
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </BackendProvider>,
    { onError: (error) => void errors.push(error) },
  );
  const html = await new Response(prelude).text();
  router.dispose();
  if (errors.length > 0) throw new Error(`${path} was not rendered`, { cause: errors[0] });
  // Until the app is there, a press of the button must not send a password as part of an address.
  return html.replaceAll('type="submit"', 'type="button" data-submit=""');
}

/** What the build writes into the app's document to make that of a static page. */
export interface RenderedPage {
  readonly path: string;
  readonly title: string;
  readonly audience: Audience;
  readonly html: string;
}

/** Rendered as this module is run, because the build takes no page's code from it afterwards. */
export const renderedPages: readonly RenderedPage[] = await Promise.all(
  Object.entries(staticPages).map(async ([path, audience]) => {
    const { title, Component } = await routeAt(path);
    const html = await render(path, Component);
    return { path, title: `${title} · ${brand.name}`, audience, html };
  }),
);

const { prelude } = await prerender(<LoadingPage />);

/** What every other page of the app shows until its code has come. */
export const loadingPage = await new Response(prelude).text();

/** The members' frame around one page, or around all further ones of a kind. */
export interface RenderedFrame {
  /** The address of the page, null for further ones. */
  readonly path: string | null;
  /** Matches the addresses that the frame stands at. */
  readonly pattern: string;
  /** Whose rail it has. */
  readonly role: Role;
  readonly html: string;
}

/** Every route that is inside the members' frame for all who may see it. */
const framed = (routes[0]?.children ?? [])
  .flatMap(({ children = [] }) => children)
  .flatMap(({ path, handle }) =>
    path === undefined || !isInShell(path) || !isPageHandle(handle) ? [] : [{ path, handle }],
  );

/** A regular expression for addresses of these routes. */
const patternOf = (all: readonly { path: string }[]) =>
  `^(?:${all.map(({ path }) => path.replaceAll(/:\w+/g, "[^/]+")).join("|")})/?$`;

async function renderFrame(props: MembersFrameProps): Promise<string> {
  return await render(props.pathname ?? paths.chats, () => <MembersFrame {...props} />);
}

/** Whose rails an address shows: those of the roles it is for. The first stands where the role is not known. */
function railsAt(path: string): readonly Role[] {
  const rule = requirementOf(path);
  if (rule.kind === "role") return [rule.role];
  return rule.kind === "mentors" ? ["mentor", "admin"] : ["student", "mentor", "admin"];
}

const isFurther = ({ path }: { path: string }) => path.includes(":");
const isFilled = ({ handle }: { handle: PageHandle }) => handle.layout === "fill";

/** The frames of all members' pages for each role: of each page, and for the further ones one that scrolls and one that is filled. */
export const renderedFrames: readonly RenderedFrame[] = await Promise.all([
  ...framed
    .filter((route) => !isFurther(route))
    .flatMap(({ path, handle: { title, accent, layout } }) =>
      railsAt(path).map(async (role) => ({
        path,
        pattern: patternOf([{ path }]),
        role,
        html: await renderFrame({ pathname: path, role, title, accent, fill: layout === "fill" }),
      })),
    ),
  ...[false, true].flatMap((fill) =>
    (["student", "mentor", "admin"] as const).map(async (role) => ({
      path: null,
      pattern: patternOf(framed.filter((route) => isFurther(route) && isFilled(route) === fill)),
      role,
      html: await renderFrame({ pathname: null, role, title: brand.name, accent: undefined, fill }),
    })),
  ),
]);
