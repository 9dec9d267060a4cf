import { storageErrors } from "./storage-errors.ts";

// The characters hosted Supabase accepts.
const objectNamePattern = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/;
const bucketNamePattern = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/;
const maxNameLength = 1024;

/** True for a valid object name. Dot segments are refused because URL parsers remove them. */
function isObjectName(name: string): boolean {
  return (
    name.length <= maxNameLength &&
    objectNamePattern.test(name) &&
    !name.split("/").some((segment) => segment === "." || segment === "..")
  );
}

/** @throws {StorageError} InvalidKey */
export function assertObjectName(name: string): void {
  if (!isObjectName(name)) throw storageErrors.invalidKey();
}

/** @throws {StorageError} InvalidBucketName */
export function assertBucketName(name: string): void {
  if (!bucketNamePattern.test(name) || name.trim() !== name)
    throw storageErrors.invalidBucketName();
}

/** The dashboard keeps empty folders with an empty file of this name. Bucket limits do not apply to it. */
export function isFolderPlaceholder(name: string): boolean {
  return name.endsWith(".emptyFolderPlaceholder");
}
