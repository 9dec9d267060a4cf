// Serves image transformations (`/render/image`), and caches the results in memory.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Context, Hono } from "hono";
import { LRUCache } from "lru-cache";
import { isUnchanged } from "../conditional-requests.ts";
import { normaliseType } from "./bucket-limits.ts";
import { requireCaller } from "./request-input.ts";
import { detectType } from "./file-content.ts";
import { DecodeQueue, decodeImage } from "./image-decoder.ts";
import {
  applyTransform,
  parseTransform,
  parseTransformText,
  resultType,
  transformedTypes,
  transformText,
  type ImageTransform,
} from "./image-transform.ts";
import type { ObjectRow } from "./object-rows.ts";
import { findLinkedObject, findReadableObject, type ReadableObject } from "./readable-objects.ts";
import { downloadHeaders } from "./serve-object.ts";
import { verifySignedUrl } from "./signed-urls.ts";
import { storageErrors } from "./storage-errors.ts";
import { headBytes } from "./staging-area.ts";
import type { StorageServices } from "./storage-services.ts";
import { accountOf, stageStoredObject } from "./store-object.ts";

const maxSourceBytes = 25 * 1024 ** 2;
const maxCachedBytes = 64 * 1024 ** 2;
/** Transforms go to the decoder one by one, so that uploaded pictures never wait for more than one of them. */
const waitingTransforms = { concurrent: 1, queued: 200, queuedPerAccount: 60, waitMs: 20_000 };

/** Transforms stored images, and keeps the results by the version of the file, whose bytes never change. */
class ImageRenderer {
  readonly #services: StorageServices;
  readonly #queue = new DecodeQueue(waitingTransforms);
  readonly #results = new LRUCache<string, Buffer>({
    maxSize: maxCachedBytes,
    sizeCalculation: (bytes) => bytes.byteLength + 1,
  });
  readonly #running = new Map<string, Promise<Buffer>>();

  constructor(services: StorageServices) {
    this.#services = services;
  }

  /** The transformed bytes; equal requests at one time share the work. */
  async render(key: string, work: () => Promise<Buffer>): Promise<Buffer> {
    const kept = this.#results.get(key) ?? this.#running.get(key);
    if (kept !== undefined) return await kept;
    const running = work().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    const bytes = await running;
    this.#results.set(key, bytes);
    return bytes;
  }

  /** Decodes and transforms a stored file. */
  async transform(
    object: ObjectRow,
    account: string,
    transform: ImageTransform,
    type: string,
  ): Promise<Buffer> {
    const { staging, decodeQueue } = this.#services;
    return await this.#queue.run(account, async () => {
      const source = await stageStoredObject(this.#services, object.version);
      const target = await staging.newPath();
      try {
        await decodeImage(decodeQueue, account, source.path, target, (image, metadata) =>
          applyTransform(image, metadata, transform, type),
        );
        return await readFile(target);
      } finally {
        await Promise.all([staging.discard(source.path), staging.discard(target)]);
      }
    });
  }
}

/**
 * The type of a stored image: as it was stored, or by its first bytes when that is no image, as of a file without a type.
 * @throws {StorageError} InvalidRequest for a file that is none.
 */
async function originalType({ blobs }: StorageServices, object: ObjectRow): Promise<string> {
  const stored = normaliseType(object.metadata?.mimetype ?? "");
  if (transformedTypes.has(stored)) return stored;
  const range = { start: 0, end: headBytes - 1 };
  const head = object.version === null ? undefined : await blobs.open(object.version, range);
  const found = head && (await detectType(Buffer.concat(await head.toArray())));
  if (found !== undefined && transformedTypes.has(found)) return found;
  throw storageErrors.invalidRequest("The object is not an image that can be transformed");
}

/** Routes below /render/image: a stored image in another size or format, for those who may read the image. */
export function addRenderRoutes(app: Hono, services: StorageServices): void {
  const { context } = services;
  const renderer = new ImageRenderer(services);

  const respond = async (
    c: Context,
    { object, isPublic, caller }: ReadableObject,
    transform: ImageTransform,
    expires?: number,
  ) => {
    const original = await originalType(services, object);
    if ((object.metadata?.size ?? 0) > maxSourceBytes) throw storageErrors.tooLarge();
    const type = resultType(transform, original, c.req.header("accept") ?? null);
    const text = transformText(transform);
    const key = `${object.version} ${type} ${text}`;
    const eTag = `"${createHash("sha256").update(key).digest("hex").slice(0, 32)}"`;
    const result = { ...object, metadata: { ...object.metadata, mimetype: type, eTag } };
    const headers = downloadHeaders(result, {
      download: c.req.query("download"),
      isPrivate: !isPublic,
      ...(expires !== undefined && { expires }),
    });
    headers.delete("accept-ranges");
    headers.set("vary", "accept");
    headers.set("x-transformations", text);
    if (isUnchanged(c.req.raw, eTag, object.updated_at)) {
      return new Response(null, { status: 304, headers });
    }
    // Visitors wait for their turn together; the server's own key does not wait here without end either.
    const account = (caller && accountOf(caller)) ?? "visitors";
    const bytes = await renderer.render(key, async () =>
      renderer.transform(object, account, transform, type),
    );
    headers.set("content-length", String(bytes.byteLength));
    return new Response(new Uint8Array(bytes), { headers });
  };

  app.get("/render/image/public/:bucket/:name{[\\s\\S]+}", async (c) => {
    const { bucket, name } = c.req.param();
    const found = await findReadableObject(context, undefined, bucket, name);
    return await respond(c, found, parseTransform(c.req.query()));
  });
  app.get("/render/image/authenticated/:bucket/:name{[\\s\\S]+}", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const { bucket, name } = c.req.param();
    const found = await findReadableObject(context, caller, bucket, name);
    return await respond(c, found, parseTransform(c.req.query()));
  });
  app.get("/render/image/sign/:bucket/:name{[\\s\\S]+}", async (c) => {
    const { bucket, name } = c.req.param();
    const path = `${bucket}/${name}`;
    const link = await verifySignedUrl(context, c.req.query("token"), "download", path);
    if (link.transformations === undefined) throw storageErrors.invalidSignature();
    const found = await findLinkedObject(context, link, bucket, name);
    return await respond(c, found, parseTransformText(link.transformations), link.exp);
  });
}
