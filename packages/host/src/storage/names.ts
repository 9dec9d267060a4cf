import { fault } from "./errors.ts";

// The characters hosted Supabase takes; everything else, control characters and NUL included, is refused.
const OBJECT_NAME = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/;
const BUCKET_NAME = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/;
const LONGEST_NAME = 1024;

/** True for a name an object may have. A dot segment could never be asked for again by URL, so it is none. */
function isObjectName(name: string): boolean {
  return (
    name.length <= LONGEST_NAME &&
    OBJECT_NAME.test(name) &&
    !name.split("/").some((segment) => segment === "." || segment === "..")
  );
}

/** @throws {StorageFault} InvalidKey */
export function assertObjectName(name: string): void {
  if (!isObjectName(name)) throw fault.invalidKey();
}

/** @throws {StorageFault} InvalidBucketName */
export function assertBucketName(name: string): void {
  if (!BUCKET_NAME.test(name) || name.trim() !== name) throw fault.invalidBucketName();
}

/** The dashboard keeps empty folders alive with an empty file of this name; size and type limits pass it by. */
export function isFolderPlaceholder(name: string): boolean {
  return name.endsWith(".emptyFolderPlaceholder");
}
