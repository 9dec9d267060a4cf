import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

interface RenderedPage {
  readonly path: string;
  readonly title: string;
  readonly audience: string;
  readonly html: string;
}

export interface StaticPagesModule {
  readonly renderedPages: readonly RenderedPage[];
  readonly loadingPage: string;
}

const place = '<div id="root"></div>';
const manifestShape = z.record(z.string(), z.looseObject({ file: z.string() }));

/**
 * Writes the pages that visitors come to first as files beside the app's own document (`/signin.html` for `/signin`): the
 * same document with the page's HTML in the place of the app, which takes it over once its code is there. All other
 * addresses get the document with the sign that something is loading.
 *
 * @param folder the built app, without them
 */
export async function writeStaticPages(
  folder: string,
  { renderedPages, loadingPage }: StaticPagesModule,
): Promise<void> {
  const manifest = manifestShape.parse(
    JSON.parse(await readFile(join(folder, ".vite", "manifest.json"), "utf8")),
  );
  const script = manifest["src/app/static-pages/static-page.ts"]?.file;
  const document = await readFile(join(folder, "app.html"), "utf8");
  if (script === undefined || !document.includes(place)) {
    throw new Error("The app's document has no place for static pages");
  }
  const write = async (name: string, html: string, change = (text: string) => text) => {
    const filled = document.replace(place, () => `<div id="root">${html}</div>`);
    await writeFile(join(folder, name), change(filled));
  };
  for (const { path, title, audience, html } of renderedPages) {
    const page = `<div id="static-page" data-audience="${audience}">${html}</div>`;
    await write(`${path.slice(1)}.html`, page, (text) =>
      text
        .replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`)
        .replace("</body>", () => `<script type="module" async src="/${script}"></script></body>`),
    );
  }
  await write("app.html", loadingPage);
}
