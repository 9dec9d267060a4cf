import { join } from "node:path";
import { Hono } from "hono";
import { cors } from "hono/cors";
import type { HostContext } from "../context.ts";
import { DatabaseBusyError } from "../postgres/database-busy.ts";
import { settingsAt } from "../project.ts";
import { addBucketRoutes } from "./bucket-routes.ts";
import { addCollectionRoutes } from "./collection-routes.ts";
import { openDiskBlobStore } from "./disk-blob-store.ts";
import { fault, faultOfDatabase, StorageFault } from "./errors.ts";
import { parseConfigSize } from "./limits.ts";
import { addLinkRoutes } from "./link-routes.ts";
import { addObjectRoutes } from "./object-routes.ts";
import type { StorageParts } from "./parts.ts";
import { Staging } from "./staging.ts";
import { addTransferRoutes } from "./transfer-routes.ts";
import { sweepUnused } from "./unused-bytes.ts";

/**
 * The storage API as hosted Supabase has it; row-level security on storage.objects decides everything.
 * See docs/subsystems/storage.md.
 */
export function createStorageApp(context: HostContext): Hono {
  const folder = join(context.config.dataDir, "storage");
  const parts: StorageParts = {
    context,
    blobs: openDiskBlobStore(join(folder, "objects")),
    staging: new Staging(join(folder, "incoming")),
    fileSizeLimit: parseConfigSize(settingsAt(context.project, "storage")["file_size_limit"]),
  };
  sweepUnused(parts).catch((error: unknown) => {
    context.log.warn({ err: error }, "stored files could not be swept");
  });

  const app = new Hono();
  app.use(
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      exposeHeaders: [
        "content-length",
        "content-range",
        "accept-ranges",
        "etag",
        "last-modified",
        "retry-after",
      ],
      maxAge: 3600,
    }),
  );
  app.get("/status", (c) => c.body(null, 200));
  addBucketRoutes(app, parts);
  // Before the objects: `/object/sign/…` would else be an object of a bucket called "sign".
  addLinkRoutes(app, parts);
  addTransferRoutes(app, parts);
  addCollectionRoutes(app, parts);
  app.all("/render/*", () => {
    throw fault.notEnabled("image transformation");
  });
  addObjectRoutes(app, parts);
  app.all("*", () => {
    throw fault.noSuchRoute();
  });
  app.onError((error, c) => {
    if (error instanceof DatabaseBusyError) {
      const { body, httpStatus } = fault.timeout();
      c.header("retry-after", String(error.retryAfterS));
      return Response.json(body, { status: httpStatus, headers: c.res.headers });
    }
    const known = error instanceof StorageFault ? error : faultOfDatabase(error);
    if (known !== undefined) {
      return Response.json(known.body, { status: known.httpStatus, headers: c.res.headers });
    }
    context.log.error({ err: error, path: c.req.path }, "storage request failed");
    const failed = new StorageFault(500, "InternalError", "Internal Server Error", "Internal");
    return Response.json(failed.body, { status: 500, headers: c.res.headers });
  });
  return app;
}
