import type { HostContext } from "../context.ts";
import type { BlobStore } from "./blob-store.ts";
import type { DecodeQueue } from "./image-decoder.ts";
import type { StagingArea } from "./staging-area.ts";

/** Dependencies of the storage routes. */
export interface StorageServices {
  context: HostContext;
  blobs: BlobStore;
  staging: StagingArea;
  decodeQueue: DecodeQueue;
  /** Largest size of a file in bytes; a bucket may only lower it. */
  fileSizeLimit: number;
}
