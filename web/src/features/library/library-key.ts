/** The key under which an answer of the library is kept; without parts, that of all of them. */
export function libraryKey(userId: string, ...parts: readonly string[]): readonly string[] {
  return ["library", userId, ...parts];
}
