// The files of a hosted Supabase project, through the S3 endpoint of its storage service.

import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type pg from "pg";
import { isVersion, type BlobStore } from "./blob-store.ts";

/** Where a project answers, and the pair of keys its dashboard gives for S3. */
export interface ProjectFilesSettings {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

interface ProjectFile {
  bucket: string;
  name: string;
  version: string;
  type: string | null;
  cache: string | null;
  bytes: number | null;
}

/** There, a name without bytes is answered as one that does not exist. */
function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}

/**
 * The files that the rows of `storage.objects` name, as a project has them under their buckets and names. The project knows no
 * versions of ours, so each stands for its name.
 */
export class ProjectFiles implements Pick<BlobStore, "list" | "put" | "open" | "remove" | "close"> {
  readonly #client: S3Client;
  readonly #files: ReadonlyMap<string, ProjectFile>;

  constructor({ endpoint, region, credentials }: ProjectFilesSettings, files: ProjectFile[]) {
    this.#client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    this.#files = new Map(files.map((file) => [file.version, file]));
  }

  /** Over the rows of an install's own database. */
  static async of(
    client: Pick<pg.ClientBase, "query">,
    settings: ProjectFilesSettings,
  ): Promise<ProjectFiles> {
    const { rows } = await client.query<ProjectFile>(
      `select bucket_id as bucket, name, version, metadata ->> 'mimetype' as type, metadata ->> 'cacheControl' as cache,
         (metadata ->> 'size')::double precision as bytes
       from storage.objects where version is not null order by version`,
    );
    return new ProjectFiles(
      settings,
      rows.filter(({ version }) => isVersion(version)),
    );
  }

  #fileOf(version: string): ProjectFile {
    const file = this.#files.get(version);
    if (file === undefined) throw new Error(`no row has version ${version}`);
    return file;
  }

  #placeOf(version: string): { Bucket: string; Key: string } {
    const { bucket, name } = this.#fileOf(version);
    return { Bucket: bucket, Key: name };
  }

  /** Uploads over what is there: the row, which was copied before, keeps its owner. */
  async put(version: string, path: string): Promise<void> {
    const { bucket, name, type, cache } = this.#fileOf(version);
    const params = {
      Bucket: bucket,
      Key: name,
      Body: createReadStream(path),
      ...(type !== null && { ContentType: type }),
      ...(cache !== null && { CacheControl: cache }),
    };
    await new Upload({ client: this.#client, params }).done();
    await rm(path, { force: true });
  }

  async open(version: string): Promise<Readable | undefined> {
    try {
      const { Body: body } = await this.#client.send(new GetObjectCommand(this.#placeOf(version)));
      // On Node.js the SDK answers with the socket's stream.
      return body as Readable | undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async remove(versions: readonly string[]): Promise<void> {
    for (const version of versions) {
      await this.#client.send(new DeleteObjectCommand(this.#placeOf(version)));
    }
  }

  /** Those with as many bytes as their rows say. The bytes are asked for: the project lists its rows, with bytes or without. */
  async *list(): AsyncIterable<string[]> {
    for (const [version, { bytes }] of this.#files) {
      const stream = await this.open(version);
      if (stream === undefined) continue;
      let size = 0;
      for await (const chunk of stream as AsyncIterable<Uint8Array>) size += chunk.byteLength;
      if (size === bytes) yield [version];
    }
  }

  close(): void {
    this.#client.destroy();
  }
}
