import { describe, expect, it } from "vitest";
import { sniffContentType } from "./sniff-content-type.ts";

const sniffed = async (...parts: readonly (string | number[])[]) =>
  await sniffContentType(
    new Blob(parts.map((part) => (typeof part === "string" ? part : new Uint8Array(part)))),
  );
const body = "1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\nstartxref\n9\n";
const whole = `%PDF-1.4\n${body}%%EOF\n`;
const byteOrderMark = [0xef, 0xbb, 0xbf];

describe("a file is known by its bytes", () => {
  it("as a picture", async () => {
    expect(await sniffed([0xff, 0xd8, 0xff, 0xe0], "JFIF")).toBe("image/jpeg");
    expect(await sniffed([0x89], "PNG\r\n\u001a\n")).toBe("image/png");
  });

  // The storage takes the same ones and keeps what is between.
  it.each<[string, readonly (string | number[])[]]>([
    ["as most programs write it", [whole]],
    ["of version 2", [whole.replace("1.4", "2.0")]],
    ["without a last line end", [whole.trimEnd()]],
    ["with a byte order mark", [byteOrderMark, whole]],
    ["behind line ends", ["\r\n\n", whole]],
    ["behind a scanner's header", ["\u001b%-12345X@PJL JOB\r\n", whole, "\u001b%-12345X"]],
    ["behind as much as readers pass over", ["x".repeat(1024), whole]],
    ["with a comment behind its end", [whole, "% printed by a bank\n"]],
    ["padded with zeros", [whole, "\0".repeat(512)]],
    ["that was changed later", [whole, "4 0 obj\nendobj\n%%EOF\n"]],
    ["that is longer than what is looked at", [`%PDF-1.4\n${body.repeat(200)}%%EOF\n`]],
  ])("as a PDF %s", async (_what, parts) => {
    expect(await sniffed(...parts)).toBe("application/pdf");
  });

  it.each<[string, string]>([
    ["nothing", ""],
    ["a page", "<!doctype html><p>hello</p>"],
    ["a phone's HEIC", "\0\0\0\u0018ftypheic"],
    ["more before it than readers pass over", `${"x".repeat(1025)}${whole}`],
    ["more behind it than readers pass over", `${whole}${"x".repeat(1025)}`],
    ["no end", whole.replace("%%EOF", "")],
    ["its end before its beginning", `%%EOF\n%PDF-1.4\n${body}`],
    ["an unknown version", whole.replace("1.4", "9.4")],
    ["a page before it", `<!doctype html><script>alert(1)</script>${whole}`],
    ["a page at its head", `%PDF-1.4\n<html><script>alert(1)</script>${body}%%EOF`],
    ["a page at its head, behind other bytes", `${"x".repeat(1000)}%PDF-1.4\n<html>${body}%%EOF`],
    ["a page behind it", `${whole}<svg onload=alert(1)>`],
    ["an archive behind it", `${whole}PK\u0005\u0006`],
    ["a program before it", `MZ\u0090${whole}`],
    ["a script before it", `#!/bin/sh\n${whole}`],
  ])("as none with %s", async (_what, text) => {
    expect(await sniffed(text)).toBeNull();
  });
});
