/** `basehost/files`: where an install keeps its stored files, for commands that move them. */
export { StagingArea } from "./storage/staging-area.ts";
export { adoptStore, type NamedStore } from "./storage/file-store-owner.ts";
export { copyFiles } from "./storage/move-files.ts";
export { ProjectFiles } from "./storage/project-files.ts";
export { openBucket, openFolder } from "./storage/open-blob-store.ts";
export { StorageError } from "./storage/storage-errors.ts";
