import type { Plugin } from "vite";
import { moduleGraph, type BuiltModule, type ModuleGraph } from "./module-graph.ts";

/**
 * How the app's modules are divided into files. Left alone, the bundler writes a file for every set of pages that
 * shares a module: 305 of them, half under 2 KiB, and a page of the app asked for 130 to 160. Here a module lies with
 * those that are needed at the same moment:
 *
 * - `first`: what the few lines of script of the landing page and of static pages have in common with the app;
 * - `libraries` and `app`: what every page needs before it shows anything, packages apart from our own code, so that a
 *   release that changes none of the packages leaves their file in the browser's cache;
 * - `shared`: what more than an eighth of all pages needs, that which members begin with among them, and what visitors'
 *   pages share with the members' frame;
 * - `common`: what so many pages need and that one does not, such as forms;
 * - `shell`: what the frame around the members' pages needs besides;
 * - `home`: what the page that members begin with takes of features whose other pages need far more;
 * - a file for each feature, of what several pages use of it;
 * - `icons`: the drawings that a few pages share, each too small for a file of its own.
 *
 * What a single page needs stays with that page, and packages that only some pages need stay with the bundler.
 */

/** Every module that runs before `entry` does, and itself. */
function reachedFrom(entry: string, graph: ModuleGraph): Set<string> {
  const reached = new Set<string>();
  const waiting = [entry];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    waiting.push(...(graph.get(id)?.imports ?? []));
  }
  return reached;
}

/** Pages that visitors open, without the members' frame around them. */
const publicPages = [
  "account/pages/unsubscribe-page.tsx",
  "achievements/pages/shared-page.tsx",
  "achievements/pages/verify-page.tsx",
  "billing/pages/paywall-page.tsx",
  "guarantee/pages/guarantee-page.tsx",
  "../app/legal-page.tsx",
  "selling/pages/sale-page.tsx",
];

/** With it the bundler asks for a page's files. */
const preloadHelper = "\0vite/preload-helper.js";
const isPackage = (id: string) => id.includes("/node_modules/");
/** A drawing of the package of icons. */
const isIcon = (id: string) => id.includes("/lucide-react/dist/esm/icons/");

/** Names the file of each module that several pages share; others have none. */
function nameModules(graph: ModuleGraph): Map<string, string> {
  const ids = [...graph.keys()];
  const moduleAt = (end: string) => ids.find((id) => id.endsWith(end)) ?? "";
  const main = moduleAt("/web/src/main.ts");
  const start = moduleAt("/web/src/app/start.tsx");
  const scripts = [
    "features/landing/enhance-landing.ts",
    "app/static-pages/static-page.ts",
    "app/static-pages/show-frame.ts",
  ].map((script) => moduleAt(`/web/src/${script}`));
  const first = new Set(scripts.flatMap((script) => [...reachedFrom(script, graph)]));
  const app = reachedFrom(start, graph);
  const shell = reachedFrom(moduleAt("/web/src/app/shell-layout.tsx"), graph);
  const home = reachedFrom(
    moduleAt("/web/src/features/dashboards/pages/member-dashboard.tsx"),
    graph,
  );
  const visited = new Set(
    publicPages.flatMap((page) => [...reachedFrom(moduleAt(`/web/src/features/${page}`), graph)]),
  );
  const inFrame = (id: string) => app.has(id) || shell.has(id);
  const pages = new Set([...graph.values()].flatMap((module) => module.dynamicImports));
  pages.delete(start);
  const uses = new Map<string, number>();
  for (const page of pages) {
    for (const id of reachedFrom(page, graph)) uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  const isCommon = (id: string) => (uses.get(id) ?? 0) > pages.size / 8;
  // A file takes along what its modules import, so those that lead to a package of a few pages stay apart.
  const bringsPackages = (id: string) =>
    [...reachedFrom(id, graph)].some(
      (needed) => isPackage(needed) && !isIcon(needed) && !inFrame(needed) && !isCommon(needed),
    );
  // What these need as well: with the page that members begin with, they would bring its file.
  const underCommon = new Set(
    ids
      .filter((id) => isCommon(id) && !home.has(id) && !inFrame(id))
      .flatMap((id) => [...reachedFrom(id, graph)]),
  );
  const names = new Map<string, string>();
  for (const id of ids) {
    // A stylesheet comes with what asks for it, and a page's code waits for those of its files.
    if (id === main || id === start || scripts.includes(id) || id.endsWith(".css")) continue;
    // What asks for other files is a helper of the bundler's, without which none of them comes.
    if (first.has(id) || id === preloadHelper) names.set(id, "first");
    else if (app.has(id)) names.set(id, isPackage(id) ? "libraries" : "app");
    else if (shell.has(id))
      names.set(id, visited.has(id) || underCommon.has(id) ? "shared" : "shell");
    else if (isCommon(id) || underCommon.has(id)) names.set(id, home.has(id) ? "shared" : "common");
    else if (isIcon(id) && (uses.get(id) ?? 0) > 1)
      names.set(id, home.has(id) ? "shared" : "icons");
    else if (!pages.has(id) && (uses.get(id) ?? 0) > 1 && !bringsPackages(id)) {
      const feature = /\/web\/src\/features\/([^/]+)\//.exec(id)?.[1] ?? "shared";
      names.set(id, home.has(id) ? "home" : feature);
    }
  }
  return names;
}

/** The frame's files come first: what a later file shares with an earlier one is left to that. */
const order = ["first", "libraries", "app", "shared", "icons", "shell", "home", "common"];

interface ChunkGroup {
  readonly debugName: string;
  readonly name: (id: string) => string | null;
  readonly priority: number;
}

export interface ChunkAreas {
  /** Reads the graph of modules once it is whole. */
  readonly plugin: Plugin;
  readonly groups: readonly ChunkGroup[];
}

export function chunkAreas(): ChunkAreas {
  let names = new Map<string, string>();
  return {
    groups: [
      ...order.map((name, place) => ({
        debugName: name,
        name: (id: string) => (names.get(id) === name ? name : null),
        priority: order.length - place,
      })),
      { debugName: "features", name: (id) => names.get(id) ?? null, priority: 0 },
    ],
    plugin: {
      name: "chunk-areas",
      apply: "build",
      buildEnd() {
        // Each module is asked for once: the bundler copies its whole text with every answer.
        const modules = new Map<string, BuiltModule>();
        for (const id of this.getModuleIds()) {
          const info = this.getModuleInfo(id);
          if (!info) continue;
          modules.set(id, {
            code: info.code ?? "",
            imports: info.importedIds,
            dynamicImports: info.dynamicallyImportedIds,
          });
        }
        names = nameModules(moduleGraph(modules));
      },
    },
  };
}
