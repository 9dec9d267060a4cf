// The server of resumable uploads for one request. Loaded with the first of them, with the library that speaks the protocol.

import { Server, type ServerOptions } from "@tus/server";
import { ResumableStore, type ResumableAccess } from "./resumable-store.ts";
import type { StorageServices } from "./storage-services.ts";

/** Request headers of Supabase's clients beside those of the protocol. */
const allowedHeaders = ["apikey", "x-client-info", "x-upsert", "x-signature", "x-read-after-write"];

/** Nothing is locked: a part counts only behind the bytes it was sent for, which the database decides for all hosts. */
const noLock = {
  newLock: () => ({
    lock: async () => await Promise.resolve(),
    unlock: async () => await Promise.resolve(),
  }),
};

/** Answers as hosted Supabase does, for one caller. */
export function resumableServer(
  services: StorageServices,
  access: ResumableAccess,
  options: Pick<ServerOptions, "path" | "namingFunction" | "generateUrl" | "onResponseError">,
): Server {
  return new Server({
    datastore: new ResumableStore(services, access),
    locker: noLock,
    maxSize: services.fileSizeLimit,
    allowedHeaders,
    ...options,
  });
}
