// Keeps the bytes of stored objects in a bucket of an S3 server, which several hosts may share.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { Logger } from "pino";
import type { ByteRange } from "../conditional-requests.ts";
import { isVersion, type BlobStore } from "./blob-store.ts";
import type { S3Settings } from "./s3-settings.ts";
import { storageErrors } from "./storage-errors.ts";

const folder = "objects/";
const markerKey = "store-id";
/** A file of at most this many bytes is sent in one request, a larger one in parts of this size. */
const partBytes = 8 * 1024 * 1024;
/** A link to the bucket is good for so long after a sign-out or a refund. */
const linkLifetimeS = 60;
/** The SDK tries each request three times, so that a caller waits for half a minute at most. */
const connectionTimeoutMs = 3000;
const requestTimeoutMs = 30_000;

const keyOf = (version: string) => {
  if (!isVersion(version)) throw new Error("not a version");
  return `${folder}${version.slice(0, 2)}/${version}`;
};

/** True when the bucket is there and the key is not. */
function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && ["NoSuchKey", "NotFound"].includes(error.name);
}

/** Some servers can't list uploads in parts; their own rules end those. */
function isUnknownCall(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === "NotImplemented";
}

class S3BlobStore implements BlobStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #log: Logger;

  readonly linkTo: BlobStore["linkTo"];

  constructor(client: S3Client, { bucket, downloadLinks }: S3Settings, log: Logger) {
    this.#client = client;
    this.#bucket = bucket;
    this.#log = log;
    this.linkTo = downloadLinks ? async (...link) => await this.#linkTo(...link) : undefined;
  }

  async #linkTo(version: string, headers: Headers): Promise<string> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: keyOf(version),
      ResponseContentType: headers.get("content-type") ?? undefined,
      ResponseContentDisposition: headers.get("content-disposition") ?? undefined,
      ResponseCacheControl: headers.get("cache-control") ?? undefined,
    });
    return await this.#ask(
      async () => await getSignedUrl(this.#client, command, { expiresIn: linkLifetimeS }),
    );
  }

  /** @throws {StorageError} a 503 when the server can't be reached or refuses; the reason is logged. */
  async #ask<Answer>(asked: () => Promise<Answer>): Promise<Answer> {
    try {
      return await asked();
    } catch (error) {
      if (isMissing(error) || isUnknownCall(error)) throw error;
      this.#log.error({ err: error, bucket: this.#bucket }, "the store of files did not answer");
      throw storageErrors.storeAway(error);
    }
  }

  async put(version: string, path: string): Promise<void> {
    await this.#ask(async () => {
      // Ends an upload in parts that fails, so that no parts stay behind.
      const upload = new Upload({
        client: this.#client,
        params: { Bucket: this.#bucket, Key: keyOf(version), Body: createReadStream(path) },
        partSize: partBytes,
        queueSize: 2,
      });
      await upload.done();
    });
    await rm(path, { force: true });
  }

  async #get(key: string, range?: ByteRange): Promise<Readable | undefined> {
    return await this.#ask(async () => {
      try {
        const { Body: body } = await this.#client.send(
          new GetObjectCommand({
            Bucket: this.#bucket,
            Key: key,
            ...(range && { Range: `bytes=${range.start}-${range.end}` }),
          }),
        );
        // On Node.js the SDK answers with the socket's stream.
        return body as Readable | undefined;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    });
  }

  async open(version: string, range?: ByteRange): Promise<Readable | undefined> {
    return isVersion(version) ? await this.#get(keyOf(version), range) : undefined;
  }

  async copy(from: string, to: string): Promise<void> {
    await this.#ask(async () => {
      await this.#client.send(
        new CopyObjectCommand({
          Bucket: this.#bucket,
          CopySource: `${this.#bucket}/${keyOf(from)}`,
          Key: keyOf(to),
        }),
      );
    });
  }

  async remove(versions: readonly string[]): Promise<void> {
    const keys = versions.filter(isVersion).map((version) => ({ Key: keyOf(version) }));
    // One request takes a thousand names.
    for (let at = 0; at < keys.length; at += 1000) {
      const Objects = keys.slice(at, at + 1000);
      await this.#ask(async () => {
        const { Errors: failed = [] } = await this.#client.send(
          new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
        );
        const [first] = failed.filter(({ Code: code }) => code !== "NoSuchKey");
        if (first !== undefined) throw new Error(`${first.Key}: ${first.Message}`);
      });
    }
  }

  async *list(before: number): AsyncIterable<string[]> {
    await this.#endOldUploads(before);
    let token: string | undefined;
    do {
      const ContinuationToken = token;
      const page = await this.#ask(
        async () =>
          await this.#client.send(
            new ListObjectsV2Command({
              Bucket: this.#bucket,
              Prefix: folder,
              ...(ContinuationToken !== undefined && { ContinuationToken }),
            }),
          ),
      );
      const versions = (page.Contents ?? [])
        .filter(({ LastModified: at }) => at !== undefined && at.getTime() < before)
        .map(({ Key: key = "" }) => key.slice(key.lastIndexOf("/") + 1))
        .filter(isVersion);
      if (versions.length > 0) yield versions;
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  /** Ends uploads in parts that a killed host left: their parts are in no list of objects, and are paid for. */
  async #endOldUploads(before: number): Promise<void> {
    try {
      const { Uploads: uploads = [] } = await this.#ask(
        async () =>
          await this.#client.send(
            new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: folder }),
          ),
      );
      for (const { Key, UploadId, Initiated: at } of uploads) {
        if (at === undefined || at.getTime() >= before) continue;
        await this.#ask(
          async () =>
            await this.#client.send(
              new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }),
            ),
        );
      }
    } catch (error) {
      if (!isUnknownCall(error)) throw error;
    }
  }

  async readMarker(): Promise<string | undefined> {
    const stream = await this.#get(markerKey);
    if (stream === undefined) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8").trim();
  }

  async writeMarker(id: string): Promise<void> {
    await this.#ask(async () => {
      await this.#client.send(
        new PutObjectCommand({ Bucket: this.#bucket, Key: markerKey, Body: id }),
      );
    });
  }

  readonly close = (): void => this.#client.destroy();
}

/**
 * Older servers (Ceph, MinIO, OpenStack Swift) refuse a list of what to delete without its MD5, which the SDK has replaced with
 * a newer checksum; https://github.com/aws/aws-sdk-js-v3/blob/main/supplemental-docs/MD5_FALLBACK.md.
 */
function addContentMd5(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { headers, body } = args.request as {
          headers: Record<string, string>;
          body: unknown;
        };
        if (commandName === "DeleteObjectsCommand" && typeof body === "string")
          headers["content-md5"] = createHash("md5").update(body).digest("base64");
        return await next(args);
      },
    { step: "build", name: "addContentMd5" },
  );
}

/** Stores bytes as objects `objects/<first two digits>/<version>` of a bucket. */
export function openS3BlobStore(settings: S3Settings, log: Logger): BlobStore {
  const { endpoint, region, credentials, forcePathStyle } = settings;
  const client = new S3Client({
    region,
    forcePathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
    // Newer checksums are unknown to many servers that speak Amazon's protocol.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: connectionTimeoutMs, requestTimeout: requestTimeoutMs },
  });
  addContentMd5(client);
  return new S3BlobStore(client, settings, log);
}
