// `createSignedUrl`, `createSignedUrls` and `createSignedUploadUrl` of supabase-js: issues such URLs and serves them.

import type { Hono } from "hono";
import { z } from "zod";
import type { HostContext } from "../context.ts";
import { storageErrors } from "./storage-errors.ts";
import { assertBucketName, assertObjectName } from "./object-names.ts";
import {
  requireActiveSession,
  encryptCaller,
  maxPrivateLinkS,
  signUrl,
  decryptCaller,
  verifySignedUrl,
} from "./signed-urls.ts";
import { imageTransform, transformText } from "./image-transform.ts";
import { asCaller, findBucket, findObject } from "./object-rows.ts";
import { findLinkedObject } from "./readable-objects.ts";
import type { StorageServices } from "./storage-services.ts";
import { readJson, requireCaller } from "./request-input.ts";
import { serveObject } from "./serve-object.ts";
import { assertWriteAllowed, storeUpload } from "./store-object.ts";
import { metadataHeader } from "./upload-source.ts";

const uploadUrlLifetimeS = 2 * 60 * 60;
const expiresIn = z
  .number()
  .int()
  .min(1)
  .max(100 * 365 * 24 * 3600);
const single = z.object({ expiresIn, transform: imageTransform.nullish() });
const several = z.object({ expiresIn, paths: z.array(z.string()).min(1).max(1000) });

/**
 * Refuses a lifetime that only links to a public bucket may have.
 * @throws {StorageError} InvalidRequest
 */
async function assertLifetime(context: HostContext, bucket: string, seconds: number) {
  if (seconds <= maxPrivateLinkS || (await findBucket(context, bucket)).public) return;
  throw storageErrors.invalidRequest(
    `body/expiresIn must be <= ${maxPrivateLinkS}: a link to a private bucket lasts at most an hour`,
  );
}

/** Routes that create and accept signed URLs, which need no session. */
export function addSignedUrlRoutes(app: Hono, services: StorageServices): void {
  const { context } = services;

  app.post("/object/upload/sign/:bucket/:name{[\\s\\S]+}", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const { bucket, name } = c.req.param();
    assertObjectName(name);
    await findBucket(context, bucket);
    const upsert = c.req.header("x-upsert") === "true";
    const owner = caller.userId;
    const operation = "object.sign_upload_url";
    const target = { bucket, name, caller, owner, upsert, operation };
    await assertWriteAllowed(services, target, {}, metadataHeader(c.req.raw));
    const path = `${bucket}/${name}`;
    const token = await signUrl(
      context,
      { url: path, scope: "upload", upsert, caller: await encryptCaller(context, caller) },
      uploadUrlLifetimeS,
    );
    return c.json({ url: `/object/upload/sign/${path}?token=${token}`, token });
  });

  app.put("/object/upload/sign/:bucket/:name{[\\s\\S]+}", async (c) => {
    const { bucket, name } = c.req.param();
    const path = `${bucket}/${name}`;
    const link = await verifySignedUrl(context, c.req.query("token"), "upload", path);
    // The policies are asked again, as the account that signed the URL.
    const caller = await decryptCaller(context, link);
    await requireActiveSession(context, caller);
    const owner = caller.userId;
    const upsert = link.upsert ?? false;
    const operation = "object.upload_signed";
    await storeUpload(services, { bucket, name, caller, owner, upsert, operation }, c.req.raw);
    return c.json({ Key: path });
  });

  app.post("/object/sign/:bucket/:name{[\\s\\S]+}", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const { bucket, name } = c.req.param();
    const { expiresIn: seconds, transform } = await readJson(c.req.raw, single);
    assertBucketName(bucket);
    assertObjectName(name);
    await asCaller(context, caller, "object.sign", async (client) =>
      findObject(client, bucket, name),
    );
    await assertLifetime(context, bucket, seconds);
    const path = `${bucket}/${name}`;
    const signer = await encryptCaller(context, caller);
    const transformations = transformText(transform ?? {});
    const isTransformed = transformations !== "";
    const token = await signUrl(
      context,
      { url: path, scope: "download", caller: signer, ...(isTransformed && { transformations }) },
      seconds,
    );
    const route = isTransformed ? "/render/image/sign" : "/object/sign";
    return c.json({ signedURL: `${route}/${path}?token=${token}` });
  });

  app.post("/object/sign/:bucket", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const bucket = c.req.param("bucket");
    const { expiresIn: seconds, paths } = await readJson(c.req.raw, several);
    assertBucketName(bucket);
    const { rows } = await asCaller(context, caller, "object.sign_many", async (client) =>
      client.query<{ name: string }>(
        "select name from storage.objects where bucket_id = $1 and name = any($2)",
        [bucket, paths],
      ),
    );
    if (rows.length > 0) await assertLifetime(context, bucket, seconds);
    const visible = new Set(rows.map((row) => row.name));
    const signer = await encryptCaller(context, caller);
    const links = await Promise.all(
      paths.map(async (path) => {
        if (!visible.has(path)) {
          const error = "Either the object does not exist or you do not have access to it";
          return { error, path, signedURL: null };
        }
        const url = `${bucket}/${path}`;
        const token = await signUrl(context, { url, scope: "download", caller: signer }, seconds);
        return { error: null, path, signedURL: `/object/sign/${url}?token=${token}` };
      }),
    );
    return c.json(links);
  });

  app.get("/object/sign/:bucket/:name{[\\s\\S]+}", async (c) => {
    const { bucket, name } = c.req.param();
    const link = await verifySignedUrl(
      context,
      c.req.query("token"),
      "download",
      `${bucket}/${name}`,
    );
    // A link to a small picture doesn't open the original.
    if (link.transformations !== undefined) throw storageErrors.invalidSignature();
    const { object } = await findLinkedObject(context, link, bucket, name);
    return await serveObject(services, c.req.raw, object, {
      download: c.req.query("download"),
      isPrivate: true,
      expires: link.exp,
    });
  });
}
