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

describe("a hostile form", () => {
  const part = (headers: string, body = "x") => `--${boundary}\r\n${headers}\r\n\r\n${body}\r\n`;
  const disposition = (parameters: string) => `Content-Disposition: form-data; ${parameters}`;
  const file = part(`${disposition('name=""; filename="a"')}\r\nContent-Type: image/png`, "bytes");
  const end = `--${boundary}--\r\n`;

  test.each([
    ["a field named like a file", 'name="a; filename=b"', "a; filename=b"],
    ["a field with an escaped quote", 'name="a\\"; filename=\\"b"', 'a\\"; filename=\\"b'],
    ["a field whose parameter has no value", "name=;x", ""],
  ])("cannot pass off %s as the file", async (_what, parameters, name) => {
    const form = Buffer.from(part(disposition(parameters)) + file + end);
    const result = await read(form, 5);
    expect([...result.fields]).toEqual([[name, "x"]]);
    expect(result.content.toString()).toBe("bytes");
  });

  test.each([
    ["padding behind the boundary", file.replace("\r\n", " \t\r\n") + end],
    ["a preamble and an epilogue", `not this\r\n--nor-this\r\n${file}${end}${file}`],
  ])("with %s gives the bytes of the file and no others", async (_what, text) => {
    expect((await read(Buffer.from(text), 3)).content.toString()).toBe("bytes");
  });

  test("keeps a boundary inside of a line as content", async () => {
    const text =
      part(disposition('name=""; filename="a"'), `a--${boundary}--b\n--${boundary}`) + end;
    const result = await read(Buffer.from(text), 4);
    expect(result.content.toString()).toBe(`a--${boundary}--b\n--${boundary}`);
  });

  test.each([
    ["the end before the file", part(disposition('name="a"')) + end + file, "No content provided"],
    ["many parts without headers", `--${boundary}\r\n\r\n\r\n`.repeat(1000), "Too many fields"],
    ["an endless preamble", "x".repeat(100_000) + file, "exceeded the maximum allowed size"],
    [
      "a huge field",
      part(disposition('name="a"'), "x".repeat(2 ** 20 + 1)) + file + end,
      "exceeded",
    ],
    ["many headers", part("X: y\r\n".repeat(5000) + disposition('name="a"')), "part header"],
    ["an endless name", part(disposition(`name="${"a;".repeat(20_000)}`)), "part header"],
    ["a delimiter in the headers", `--${boundary}\r\nX: y\r\n${file}${end}`, "part header"],
  ])("with %s is refused", async (_what, text, message) => {
    await expect(read(Buffer.from(text), 4096)).rejects.toThrow(message);
  });

  test("that sends a header byte by byte costs little", async () => {
    const header = `${disposition('name="a"')}\r\nX: ${'; ="'.repeat(3000)}`;
    expect((await read(Buffer.from(part(header) + file + end), 1)).content.toString()).toBe(
      "bytes",
    );
  });
});

test("the boundary is read from the content type", () => {
  expect(boundaryOf("multipart/form-data; boundary=abc")).toBe("abc");
  expect(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"')).toBe("a b");
  expect(boundaryOf("text/plain; boundary=abc")).toBeUndefined();
  expect(boundaryOf("multipart/form-data")).toBeUndefined();
});
