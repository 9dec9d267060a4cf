import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";

interface RenderedPage {
  readonly path: string;
  readonly title: string;
  readonly audience: string;
  readonly html: string;
}

interface RenderedFrame {
  readonly path: string | null;
  readonly pattern: string;
  readonly role: string;
  readonly html: string;
}

export interface StaticPagesModule {
  readonly renderedFrames: readonly RenderedFrame[];
  readonly renderedPages: readonly RenderedPage[];
  readonly loadingPage: string;
}

const showFrame = "src/app/static-pages/show-frame.ts";
const place = '<div id="root"></div>';
const manifestShape = z.record(
  z.string(),
  z.looseObject({
    file: z.string(),
    imports: z.array(z.string()).optional(),
  }),
);
type Manifest = z.infer<typeof manifestShape>;

/** Files that a script of the build runs with, and its own. */
function scriptsOf(manifest: Manifest, start: string): Set<string> {
  const files = new Set<string>();
  const waiting = [start];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (chunk === undefined || files.has(chunk.file)) continue;
    files.add(chunk.file);
    waiting.push(...(chunk.imports ?? []));
  }
  return files;
}

/** Asks for the app's own code together with the packages, which the document's script runs first. */
function withStart(document: string, manifest: Manifest): string {
  const links = [...scriptsOf(manifest, "src/app/start.tsx")]
    .filter((file) => !document.includes(`/${file}"`))
    .map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`);
  if (links.length === 0 || !document.includes('<link rel="stylesheet"')) {
    throw new Error("The app's document has no place for the app's code");
  }
  return document.replace(/ *<link rel="stylesheet"/, (sheet) => links.join("") + sheet);
}

/** The page that members begin with; its code is asked for together with its document. */
const homeCode = "src/features/dashboards/pages/member-dashboard.tsx";
const homePaths = new Set<string | null>(["/studentdash", "/mentordash"]);

/**
 * Asks for the code of the members' pages together with the app: nearly all that is opened without a page of its own is one
 * of them. What the first drawing needs comes before it, the stylesheet and the script that shows the frame.
 */
function withFrames(
  document: string,
  frames: readonly RenderedFrame[],
  manifest: Manifest,
  script: string,
): string {
  const entries = ["src/app/shell-layout.tsx"];
  if (frames.some(({ path }) => homePaths.has(path))) entries.push(homeCode);
  const own = scriptsOf(manifest, showFrame);
  const files = new Set(entries.flatMap((entry) => [...scriptsOf(manifest, entry)]));
  const links = [...files]
    .filter((file) => !document.includes(`/${file}"`) && !own.has(file))
    .map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`);
  const templates = frames.map(
    ({ pattern, role, html }) =>
      `<template data-frame-at="${pattern}" data-frame-of="${role}">${html}</template>`,
  );
  return document
    .replace("  </head>", () => `${links.join("")}  </head>`)
    .replace(/<link rel="modulepreload" crossorigin href="\/([^"]+)">/g, (link, file: string) =>
      own.has(file) ? link : link.replace("<link ", '<link fetchpriority="low" '),
    )
    .replace(/ *<script type="module"/, (app) => {
      return `    <script type="module" crossorigin blocking="render" src="/${script}"></script>\n${app}`;
    })
    .replace("<noscript>", () => `${templates.join("\n    ")}\n    <noscript>`);
}

/** What a document asks for on behalf of the app: its settings and its script with all that this runs with. */
const appParts =
  /[ \t]*<(?:link rel="(?:modulepreload|preload)"[^>]*>|script type="module"[^>]*><\/script>)\n?/g;

/** Sets the app aside: the page's own script puts these parts into the document's head when it is time. */
function setAside(document: string, ownScript: string): string {
  const parts = document.match(appParts) ?? [];
  return document
    .replace(appParts, "")
    .replace(
      "</body>",
      () => `<template id="app">\n${parts.join("")}</template>${ownScript}</body>`,
    );
}

/**
 * Writes the pages that visitors come to first as files beside the app's own document (`/signin.html` for `/signin`): the
 * same document with the page's HTML in the place of the app, which comes after it and takes it over. All other
 * addresses get the document with the sign that something is loading, and with the members' frames, one for each role: each
 * page those around itself (`/chats.html`), further ones those of `app.html`.
 *
 * @param folder the built app, without them
 */
export async function writeStaticPages(
  folder: string,
  { renderedPages, renderedFrames, loadingPage }: StaticPagesModule,
): Promise<void> {
  const manifest = manifestShape.parse(
    JSON.parse(await readFile(join(folder, ".vite", "manifest.json"), "utf8")),
  );
  const script = manifest["src/app/static-pages/static-page.ts"]?.file;
  const frameScript = manifest[showFrame]?.file;
  const document = withStart(await readFile(join(folder, "app.html"), "utf8"), manifest);
  if (script === undefined || frameScript === undefined || !document.includes(place)) {
    throw new Error("The app's document has no place for static pages");
  }
  const write = async (name: string, html: string, change = (text: string) => text) => {
    const filled = document.replace(place, () => `<div id="root">${html}</div>`);
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, change(filled));
  };
  for (const { path, title, audience, html } of renderedPages) {
    const page = `<div id="static-page" data-audience="${audience}">${html}</div>`;
    await write(`${path.slice(1)}.html`, page, (text) =>
      setAside(
        text.replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`),
        `<script type="module" async src="/${script}"></script>`,
      ),
    );
  }
  const writeFramed = async (name: string, frames: readonly RenderedFrame[]) =>
    await write(name, loadingPage, (text) => withFrames(text, frames, manifest, frameScript));
  for (const [path, frames] of Map.groupBy(renderedFrames, (frame) => frame.path)) {
    await writeFramed(path === null ? "app.html" : `${path.slice(1)}.html`, frames);
  }
}
