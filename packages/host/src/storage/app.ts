// Mounts the routes of `/storage/v1` and turns errors into those of hosted Supabase.

import { join } from "node:path";
import { Hono } from "hono";
import { cors } from "hono/cors";
import type { HostContext } from "../context.ts";
import { DatabaseBusyError } from "../postgres/database-busy.ts";
import { settingsAt } from "../project.ts";
import { addBucketRoutes } from "./bucket-routes.ts";
import { addListRemoveRoutes } from "./list-remove-routes.ts";
import { DecodeQueue } from "./image-decoder.ts";
import type { BlobStore } from "./blob-store.ts";
import { storageErrors, toStorageError, StorageError } from "./storage-errors.ts";
import { parseConfigSize } from "./bucket-limits.ts";
import { addSignedUrlRoutes } from "./signed-url-routes.ts";
import { addObjectRoutes } from "./object-routes.ts";
import { addRenderRoutes } from "./render-routes.ts";
import type { StorageServices } from "./storage-services.ts";
import { addResumableOptions, addResumableRoutes, resumableHeaders } from "./resumable-routes.ts";
import { expireUploads } from "./resumable-rows.ts";
import { StagingArea } from "./staging-area.ts";
import { addMoveCopyRoutes } from "./move-copy-routes.ts";
import { sweepEveryDay } from "./orphaned-blobs.ts";

/** The version of hosted Supabase's storage service whose answers these routes give. */
const apiVersion = "1.48.0";

/**
 * The storage API of hosted Supabase. Row-level security on storage.objects decides about every call.
 * See docs/subsystems/storage.md.
 */
export function createStorageApp(context: HostContext, blobs: BlobStore): Hono {
  const services: StorageServices = {
    context,
    blobs,
    staging: new StagingArea(join(context.config.dataDir, "storage", "incoming")),
    decodeQueue: new DecodeQueue(),
    fileSizeLimit: parseConfigSize(settingsAt(context.project, "storage")["file_size_limit"]),
  };
  sweepEveryDay(services);
  expireUploads(services);

  const app = new Hono();
  addResumableOptions(app, services);
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
        "x-transformations",
        ...resumableHeaders,
      ],
      maxAge: 3600,
    }),
  );
  app.get("/status", (c) => c.body(null, 200));
  app.get("/version", (c) => c.text(apiVersion));
  addBucketRoutes(app, services);
  addResumableRoutes(app, services);
  // Before the object routes, which would take "sign" in `/object/sign/…` for a bucket's name.
  addSignedUrlRoutes(app, services);
  addMoveCopyRoutes(app, services);
  addListRemoveRoutes(app, services);
  addRenderRoutes(app, services);
  addObjectRoutes(app, services);
  app.all("*", () => {
    throw storageErrors.noSuchRoute();
  });
  app.onError((error, c) => {
    if (error instanceof DatabaseBusyError) {
      const { body, httpStatus } = storageErrors.timeout();
      c.header("retry-after", String(error.retryAfterS));
      return Response.json(body, { status: httpStatus, headers: c.res.headers });
    }
    const known = error instanceof StorageError ? error : toStorageError(error);
    if (known !== undefined) {
      if (known.retryAfterS !== undefined) c.header("retry-after", String(known.retryAfterS));
      return Response.json(known.body, { status: known.httpStatus, headers: c.res.headers });
    }
    context.log.error({ err: error, path: c.req.path }, "storage request failed");
    const failed = new StorageError(500, "InternalError", "Internal Server Error", "Internal");
    return Response.json(failed.body, { status: 500, headers: c.res.headers });
  });
  return app;
}
