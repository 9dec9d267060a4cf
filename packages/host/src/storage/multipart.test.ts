import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundaryOf, readMultipart } from "./multipart.ts";

const boundary = "----edge";

function form(file: Uint8Array, end = `\r\n--${boundary}--\r\n`): Buffer {
  return Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="cacheControl"\r\n\r\n3600\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name=""; filename="blob"\r\n` +
        `Content-Type: image/png\r\n\r\n`,
    ),
    file,
    Buffer.from(end),
  ]);
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

async function read(bytes: Buffer, size: number) {
  const {
    fields,
    contentType,
    bytes: content,
  } = await readMultipart(inPieces(bytes, size), boundary);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return { fields, contentType, content: Buffer.concat(chunks) };
}

describe("a form with one file", () => {
  test("is read unchanged, however it is split into chunks", async () => {
    // Pieces of boundaries in the content are what a careless splitter trips over.
    const piece = fc.oneof(
      fc.constantFrom("\r\n", "\r", "--", `\r\n--${boundary.slice(0, 5)}`, boundary),
      fc.string({ maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 20 }),
        fc.integer({ min: 1, max: 64 }),
        async (pieces, size) => {
          const file = Buffer.from(pieces.join(""));
          fc.pre(!file.includes(`\r\n--${boundary}`));
          const result = await read(form(file), size);
          expect(result.content.equals(file)).toBe(true);
          expect(result.contentType).toBe("image/png");
          expect(result.fields.get("cacheControl")).toBe("3600");
        },
      ),
    );
  });

  test("that is incomplete is refused", async () => {
    await expect(read(form(Buffer.from("half"), ""), 7)).rejects.toThrow("Unexpected end of form");
    await expect(read(Buffer.from(`--${boundary}\r\n`), 7)).rejects.toThrow("Unexpected end");
    await expect(read(Buffer.from(`--${boundary}--\r\n`), 7)).rejects.toThrow(
      "No content provided",
    );
  });

  test("with too large headers or too many fields is refused", async () => {
    const headers = Buffer.from(`--${boundary}\r\nX: ${"a".repeat(40_000)}\r\n\r\n`);
    await expect(read(headers, 1000)).rejects.toThrow("Malformed part header");
    const field = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n`;
    await expect(read(Buffer.from(field.repeat(11)), 1000)).rejects.toThrow("Too many fields");
  });
});

test("the boundary is read from the content type", () => {
  expect(boundaryOf("multipart/form-data; boundary=abc")).toBe("abc");
  expect(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"')).toBe("a b");
  expect(boundaryOf("text/plain; boundary=abc")).toBeUndefined();
  expect(boundaryOf("multipart/form-data")).toBeUndefined();
});
