// Chooses where the bytes of stored files are kept.

import { join } from "node:path";
import type { Logger } from "pino";
import { RetryableBootError } from "../boot-error.ts";
import type { HostConfig } from "../config.ts";
import { inTransaction, type ConnectionSource } from "../postgres/database.ts";
import type { BlobStore } from "./blob-store.ts";
import { openDiskBlobStore } from "./disk-blob-store.ts";
import { assertStoreOfDatabase, type NamedStore } from "./file-store-owner.ts";
import type { S3Settings } from "./s3-settings.ts";
import { StorageError } from "./storage-errors.ts";

/** The store in the data folder. */
export function openFolder(dataDir: string): NamedStore {
  const folder = join(dataDir, "storage", "objects");
  return { blobs: openDiskBlobStore(folder), place: folder, bucket: undefined };
}

/** The store in a bucket. */
export async function openBucket(settings: S3Settings, log: Logger): Promise<NamedStore> {
  const { bucket } = settings;
  // The SDK takes a third of a second to load, which hosts with a disk need not wait for.
  const { openS3BlobStore } = await import("./s3-blob-store.ts");
  return { blobs: openS3BlobStore(settings, log), place: `The bucket ${bucket}`, bucket };
}

/** The bucket that the configuration names, or else the data folder. */
export async function openBlobStore(
  config: Pick<HostConfig, "s3" | "dataDir">,
  log: Logger,
): Promise<NamedStore> {
  return config.s3 === undefined ? openFolder(config.dataDir) : await openBucket(config.s3, log);
}

/**
 * Opens the store of a host, once it is known to hold the files of the host's database.
 * @throws {BootError} when it does not; a {@link RetryableBootError} while the bucket's server is away
 */
export async function openOwnBlobStore(
  config: Pick<HostConfig, "s3" | "dataDir">,
  source: ConnectionSource,
  log: Logger,
): Promise<BlobStore> {
  const store = await openBlobStore(config, log);
  try {
    await inTransaction(source, async (client) => await assertStoreOfDatabase(client, store));
    return store.blobs;
  } catch (error) {
    store.blobs.close();
    if (!(error instanceof StorageError)) throw error;
    const { cause } = error;
    throw new RetryableBootError(
      `${store.place} can't be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}
