/** What a browser tells about a chosen file before it is read. */
export type FileMetadata = Pick<File, "name" | "type" | "size">;

/**
 * The lower-case ending of a file, when it is one of `mimeOf` and the type the browser tells agrees;
 * else null. Some systems tell no type at all; the server looks at the bytes in any case.
 */
export function extensionOf<Ending extends string>(
  { name, type }: FileMetadata,
  mimeOf: Readonly<Record<Ending, string>>,
): Ending | null {
  const ending = /\.([a-z]+)$/.exec(name.toLowerCase())?.[1] ?? "";
  if (!Object.hasOwn(mimeOf, ending)) return null;
  const known = ending as Ending;
  return type === "" || type === mimeOf[known] ? known : null;
}
