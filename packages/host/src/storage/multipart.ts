// Streaming parser of multipart/form-data, the format of uploads from browsers.

import { storageErrors } from "./storage-errors.ts";

const maxFields = 10;
const maxHeaderBytes = 16 * 1024;
const maxFieldBytes = 1024 ** 2;
const crlf = "\r\n";

/** The one file of a form, and the fields that came before it. */
export interface MultipartFile {
  fields: ReadonlyMap<string, string>;
  /** Type the part claims. */
  contentType: string;
  /** The content, not held in memory; throws when the form ends too soon. */
  bytes: AsyncIterable<Uint8Array>;
}

/** The boundary of a multipart/form-data content type, or undefined when it is none. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const match = /;\s*boundary=(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  return match?.[1] ?? match?.[2];
}

/**
 * Splits a stream at a delimiter. Buffers one chunk and the delimiter's length at most. By hand, because
 * @fastify/busboy cuts off too long headers instead of refusing them. docs/decisions/015-libraries.md.
 */
class PartReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #delimiter: Buffer;
  // The first boundary has no line break before it; this one makes it like all others.
  #held = Buffer.from(crlf);

  constructor(source: AsyncIterable<Uint8Array>, boundary: string) {
    this.#source = source[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`${crlf}--${boundary}`, "latin1");
  }

  async #more(): Promise<void> {
    const next = await this.#source.next();
    if (next.done === true) throw storageErrors.invalidRequest("Unexpected end of form");
    this.#held = Buffer.concat([this.#held, next.value]);
  }

  /** Bytes up to the next delimiter, which is consumed. */
  async *content(): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(this.#delimiter);
      if (at !== -1) {
        const rest = this.#held.subarray(0, at);
        this.#held = this.#held.subarray(at + this.#delimiter.length);
        if (rest.length > 0) yield rest;
        return;
      }
      const safe = this.#held.length - this.#delimiter.length + 1;
      if (safe > 0) {
        const rest = this.#held.subarray(0, safe);
        this.#held = this.#held.subarray(safe);
        yield rest;
      }
      await this.#more();
    }
  }

  async collect(most: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.content()) {
      size += chunk.length;
      if (size > most) throw storageErrors.tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /** Header lines of the next part, or undefined behind the last one. */
  async headers(): Promise<string | undefined> {
    while (this.#held.length < 2) await this.#more();
    if (this.#held.toString("latin1", 0, 2) === "--") return undefined;
    for (;;) {
      const end = this.#held.indexOf(`${crlf}${crlf}`);
      if (end !== -1) {
        const headers = this.#held.subarray(0, end);
        if (headers.includes(this.#delimiter)) {
          throw storageErrors.invalidRequest("Malformed part header");
        }
        const text = headers.toString("utf8");
        this.#held = this.#held.subarray(end + 4);
        return text;
      }
      if (this.#held.length > maxHeaderBytes)
        throw storageErrors.invalidRequest("Malformed part header");
      await this.#more();
    }
  }
}

/** A parameter of Content-Disposition; a quoted value may hold semicolons. */
const parameterPattern = /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|[^;\s]*)/g;

function readHeaders(text: string) {
  const disposition = /^content-disposition:\s*form-data\b(.*)$/im.exec(text)?.[1] ?? "";
  const parameters = new Map(
    Array.from(disposition.matchAll(parameterPattern), ([, name = "", value = ""]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  return {
    name: parameters.get("name") ?? "",
    isFile: parameters.has("filename") || parameters.has("filename*"),
    contentType: /^content-type:\s*([^\r\n]{1,200})$/im.exec(text)?.[1]?.trim(),
  };
}

/**
 * Reads a form up to its first file.
 * @throws {StorageError} when it has no file, is malformed or has too many or too long fields.
 */
export async function readMultipart(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
): Promise<MultipartFile> {
  const reader = new PartReader(body, boundary);
  await reader.collect(maxHeaderBytes);
  const fields = new Map<string, string>();
  for (let count = 0; ; count += 1) {
    const text = await reader.headers();
    if (text === undefined) throw storageErrors.noContent();
    const { name, isFile, contentType } = readHeaders(text);
    if (isFile) {
      return {
        fields,
        contentType: contentType ?? "application/octet-stream",
        bytes: reader.content(),
      };
    }
    if (count >= maxFields) throw storageErrors.invalidRequest("Too many fields");
    fields.set(name, (await reader.collect(maxFieldBytes)).toString("utf8"));
  }
}
