import { describe, expect, test } from "vitest";
import { pdfPartOf } from "./pdf-content.ts";

const body = "1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\nstartxref\n9\n";
const whole = `%PDF-1.4\n${body}%%EOF\n`;

/** The part of a file that is kept, as text; undefined when the file is no PDF. */
function kept(file: string): string | undefined {
  const bytes = Buffer.from(file, "latin1");
  const part = pdfPartOf({
    head: bytes.subarray(0, 4100),
    tail: bytes.subarray(-1024),
    size: bytes.length,
  });
  return part && bytes.toString("latin1", part.start, part.end);
}

describe("a PDF", () => {
  test.each([
    ["as most programs write it", whole],
    ["of version 2", whole.replace("1.4", "2.0")],
    ["without a last line end", whole.trimEnd()],
    ["with an update behind it", `${whole}2 0 obj\nendobj\n%%EOF\n`],
    ["that is longer than what is looked at", `%PDF-1.4\n${body.repeat(200)}%%EOF\n`],
  ])("%s is kept whole", (_name, file) => {
    expect(kept(file)).toBe(file);
  });

  test.each([
    ["a byte order mark", "\u00ef\u00bb\u00bf", ""],
    ["line ends", "\r\n\n", ""],
    [
      "a scanner's header",
      "\u001b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n",
      "\u001b%-12345X",
    ],
    ["as many bytes as readers pass over", "x".repeat(1024), ""],
    ["a comment behind the end", "", "% printed by a bank\n"],
    ["padding", "", "\0".repeat(512)],
  ])("is kept without %s", (_name, before, after) => {
    expect(kept(before + whole + after)).toBe(whole);
  });

  test.each([
    ["more before it than readers pass over", `${"x".repeat(1025)}${whole}`],
    ["more behind it than readers pass over", `${whole}${"x".repeat(1025)}`],
    ["no end", whole.replace("%%EOF", "")],
    ["its end before its beginning", `%%EOF\n%PDF-1.4\n${body}`],
    ["an unknown version", whole.replace("1.4", "9.4")],
    ["a page before it", `<!doctype html><script>alert(1)</script>${whole}`],
    ["a page at its head", `%PDF-1.4\n<html><script>alert(1)</script>${body}%%EOF`],
    ["a page behind it", `${whole}<svg onload=alert(1)>`],
    ["an archive behind it", `${whole}PK\u0005\u0006`],
    ["a program before it", `MZ\u0090${whole}`],
    ["a script before it", `#!/bin/sh\n${whole}`],
  ])("with %s is none", (_name, file) => {
    expect(kept(file)).toBeUndefined();
  });
});
