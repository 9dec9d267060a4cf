import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import {
  defineConfig,
  loadEnv,
  runnerImport,
  type Connect,
  type Plugin,
  type ViteDevServer,
} from "vite";
import { chunkAreas } from "./tools/chunk-areas.ts";
import { featureIndex } from "./tools/module-graph.ts";
import { writeStaticPages, type StaticPagesModule } from "./tools/static-pages.ts";

const areas = chunkAreas();
const webRoot = fileURLToPath(new URL("./web", import.meta.url));
const webSource = fileURLToPath(new URL("./web/src", import.meta.url));
for (const [name, value] of Object.entries(
  loadEnv("production", fileURLToPath(new URL(".", import.meta.url)), "VITE_"),
)) {
  process.env[name] ??= value;
}
delete process.env["VITE_USER_NODE_ENV"];
const landingModule = "/src/features/landing/render-landing.tsx";
const staticPagesModule = "/src/app/static-pages/render-static-pages.tsx";
const landingMarker = "<!--landing-->";

interface LandingModule {
  readonly renderLanding: () => Promise<string>;
}

/** A module of the web app, run here. */
async function runModule<Module>(path: string): Promise<Module> {
  const { module } = await runnerImport<Module>(webRoot + path, {
    root: webRoot,
    configFile: false,
    logLevel: "error",
    plugins: [react()],
    resolve: { alias: { "@": webSource } },
  });
  return module;
}

/**
 * Renders the landing page to static HTML in place of the marker in `index.html`, in the
 * build as well as in the development server.
 */
function prerenderLanding(): Plugin {
  let devServer: ViteDevServer | undefined;
  return {
    name: "prerender-landing",
    configureServer(server) {
      devServer = server;
    },
    transformIndexHtml: {
      order: "pre",
      async handler(html) {
        if (!html.includes(landingMarker)) return html;
        const landing = devServer
          ? ((await devServer.ssrLoadModule(landingModule)) as LandingModule)
          : await runModule<LandingModule>(landingModule);
        return html
          .replace(landingMarker, () => "")
          .replace('<div id="landing"></div>', await landing.renderLanding());
      },
    },
  };
}

/**
 * Puts the landing page's own stylesheet inside the document, so that the first paint of the
 * first visit waits for one request only.
 */
function inlineLandingStyles(): Plugin {
  return {
    name: "inline-landing-styles",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset" || typeof page.source !== "string") return;
      page.source = page.source.replace(
        /<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+\.css)"[^>]*>/g,
        (link, file: string) => {
          const sheet = bundle[file];
          if (sheet?.type !== "asset") return link;
          delete bundle[file];
          const css =
            typeof sheet.source === "string"
              ? sheet.source
              : new TextDecoder().decode(sheet.source);
          return `<style>${css}</style>`;
        },
      );
    },
  };
}

/** Every address without a file of its own is the app; only `/` is the landing page. */
function serveAppShell(request: Connect.IncomingMessage): void {
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const wantsPage = request.headers.accept?.includes("text/html") === true;
  if (wantsPage && path !== "/" && !path.includes(".")) request.url = "/app.html";
}

function appShellFallback(): Plugin {
  return {
    name: "app-shell-fallback",
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        // The gallery of the design system exists in development alone.
        if (request.url?.split("?")[0] === "/ui") request.url = "/ui.html";
        else serveAppShell(request);
        next();
      });
    },
    configurePreviewServer(server) {
      server.middlewares.use((request, _response, next) => {
        serveAppShell(request);
        next();
      });
    },
  };
}

export default defineConfig({
  root: webRoot,
  // Read above: what else an install's .env holds, such as NODE_ENV, is the server's.
  envDir: false,
  resolve: { alias: { "@": webSource } },
  plugins: [
    react(),
    tailwindcss(),
    prerenderLanding(),
    inlineLandingStyles(),
    appShellFallback(),
    areas.plugin,
  ],
  // What the server renders pages with lies beside the app, in a folder that is not served.
  environments: {
    client: {
      build: {
        rolldownOptions: {
          input: {
            index: `${webRoot}/index.html`,
            app: `${webRoot}/app.html`,
            "static-page": `${webRoot}/src/app/static-pages/static-page.ts`,
            "show-frame": `${webRoot}/src/app/static-pages/show-frame.ts`,
          },
          treeshake: {
            moduleSideEffects: [{ test: featureIndex, sideEffects: false }],
          },
          // No names: lists of advertising and tracking block words such as `analytics` in a file's address.
          output: {
            entryFileNames: "assets/[hash].js",
            chunkFileNames: "assets/[hash].js",
            assetFileNames: "assets/[hash][extname]",
            // With its settings in the same file, nothing runs Zod before they are made.
            codeSplitting: {
              groups: [
                { name: "zod", priority: 9, test: /node_modules\/zod\/|\/zod-without-eval\.ts$/ },
                ...areas.groups,
              ],
            },
          },
        },
      },
    },
    ssr: {
      resolve: { noExternal: true },
      define: { "process.env.NODE_ENV": '"production"' },
      build: {
        outDir: "dist/.server",
        copyPublicDir: false,
        manifest: false,
        rolldownOptions: {
          input: {
            "render-sale": `${webRoot}/src/features/selling/render-sale.tsx`,
            "render-landing": `${webRoot}/src/features/landing/render-landing.tsx`,
          },
        },
      },
    },
  },
  builder: {
    buildApp: async (builder) => {
      const { client, ssr } = builder.environments;
      if (client) await builder.build(client);
      if (ssr) await builder.build(ssr);
      await writeStaticPages(
        `${webRoot}/dist`,
        await runModule<StaticPagesModule>(staticPagesModule),
      );
    },
  },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // `npm run check` weighs the pages, which says more than the size of one file.
    chunkSizeWarningLimit: 1000,
    modulePreload: { polyfill: false },
    // Tells the server which stylesheets a page that it renders needs.
    manifest: true,
  },
});
