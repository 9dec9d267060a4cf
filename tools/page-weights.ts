/** A file of the build, as Vite's manifest lists it. */
interface ManifestChunk {
  readonly file: string;
  readonly css?: readonly string[] | undefined;
  /** Keys of the chunks that are loaded before it runs. */
  readonly imports?: readonly string[] | undefined;
  readonly isDynamicEntry?: boolean | undefined;
}

export type ChunkManifest = Readonly<Record<string, ManifestChunk>>;

/** What a page loads before it is drawn. */
export interface PageWeight {
  /** Scripts and stylesheets. */
  readonly files: number;
  /** Their size, compressed. */
  readonly kib: number;
}

/** A page may be so much lighter than its line, in parts of one, before the line is to be lowered. */
const slack = 0.06;
const isPage = (key: string) => /(?:\/pages\/|-page\.tsx$|-dashboard\.tsx$)/.test(key);

function filesOf(manifest: ChunkManifest, keys: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const files = new Set<string>();
  const waiting = [...keys];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) continue;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    waiting.push(...(chunk.imports ?? []));
  }
  return files;
}

/** What the app's document runs once the packages are there. */
const appStart = "src/app/start.tsx";

/** Weighs the pages that the app loads when they are opened, each with the app itself. */
export function weighPages(
  manifest: ChunkManifest,
  compressedBytes: (file: string) => number,
): Map<string, PageWeight> {
  const sizes = new Map<string, number>();
  const sizeOf = (file: string) => {
    const size = sizes.get(file) ?? compressedBytes(file);
    sizes.set(file, size);
    return size;
  };
  const weights = new Map<string, PageWeight>();
  for (const [key, { isDynamicEntry }] of Object.entries(manifest)) {
    if (isDynamicEntry !== true || !isPage(key)) continue;
    const files = filesOf(manifest, ["app.html", appStart, key]);
    const bytes = [...files].reduce((sum, file) => sum + sizeOf(file), 0);
    weights.set(key.replace(/^src\//, ""), {
      files: files.size,
      kib: Math.ceil(bytes / 1024),
    });
  }
  return weights;
}

/** Says which pages are too heavy, have no line, or are so much lighter that their line no longer holds anything. */
export function comparePageWeights(
  weights: ReadonlyMap<string, PageWeight>,
  lines: Readonly<Record<string, PageWeight>>,
): string[] {
  const problems: string[] = [];
  for (const [page, { files, kib }] of weights) {
    const line = lines[page];
    const is = `"${page}": { "files": ${files}, "kib": ${kib} }`;
    if (line === undefined)
      problems.push(`${page} has no line in web/page-weight.json; it is ${is}`);
    else if (files > line.files || kib > line.kib) {
      problems.push(
        `${page} loads ${files} files and ${kib} KiB, above ${line.files} and ${line.kib}`,
      );
    } else if (files < line.files * (1 - slack) || kib < line.kib * (1 - slack)) {
      problems.push(`${page} is lighter than its line; lower it to ${is}`);
    }
  }
  for (const page of Object.keys(lines)) {
    if (!weights.has(page)) problems.push(`web/page-weight.json names ${page}, which is no page`);
  }
  return problems;
}
