import type { HostContext } from "../context.ts";
import type { BlobStore } from "./blob-store.ts";
import type { Staging } from "./staging.ts";

/** What every route of the storage API works with. */
export interface StorageParts {
  context: HostContext;
  blobs: BlobStore;
  staging: Staging;
  /** Bytes one file may have at most, whatever its bucket says. */
  fileSizeLimit: number;
}
