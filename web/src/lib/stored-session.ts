/** Whether this browser holds a session, without loading the library that would verify it. */
export function hasStoredSession(storage: Pick<Storage, "key" | "length" | "getItem">): boolean {
  for (let index = 0; index < storage.length; index += 1) {
    const key = storage.key(index) ?? "";
    if (/^sb-.+-auth-token$/.test(key) && storage.getItem(key)?.includes("refresh_token")) {
      return true;
    }
  }
  return false;
}
