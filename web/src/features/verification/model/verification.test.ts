import { describe, expect, it } from "vitest";
import { documentFileError } from "../components/describe-document.ts";
import { documentName, maximumDocumentSize } from "./validate-document.ts";
import { reviewDeadline } from "./review-deadline.ts";
import { isExhausted, mayUpload, isWarned, type Verification } from "./verification.ts";
import { attemptsWarning } from "../strings.ts";
import { deadlineText } from "../components/deadline-text.ts";

const file = (name: string, type: string, size = 1000) => ({ name, type, size });

describe("an identity document", () => {
  it.each([
    ["passport.jpg", "image/jpeg"],
    ["PASSPORT.JPEG", "image/jpeg"],
    ["scan.png", "image/png"],
    ["scan.pdf", "application/pdf"],
    ["scan.pdf", ""],
  ])("may be %s (%s)", (name, type) => {
    expect(documentFileError(file(name, type))).toBeNull();
  });

  it.each([
    ["notes.txt", "text/plain"],
    ["photo.heic", "image/heic"],
    ["page.svg", "image/svg+xml"],
    ["trick.png", "text/html"],
    ["png", ""],
  ])("may not be %s (%s)", (name, type) => {
    expect(documentFileError(file(name, type))).toBe("Please upload a JPG, PNG, or PDF file.");
  });

  it("may have ten megabytes and not a byte more", () => {
    const sized = (size: number) => documentFileError(file("a.png", "image/png", size));
    expect(sized(maximumDocumentSize)).toBeNull();
    expect(sized(maximumDocumentSize + 1)).toBe("File size must be less than 10MB.");
  });

  it("is named by member, time and a lower-case ending", () => {
    expect(documentName("u1", 1700, file("Scan.PDF", "application/pdf"))).toBe(
      "u1-verification-1700.pdf",
    );
  });
});

describe("the attempts", () => {
  const after = (rejections: number, status: Verification["status"] = "rejected") => ({
    status,
    rejections,
    rejectedReason: null,
    submittedAt: null,
  });

  it("are warned of from the third to the fourth", () => {
    expect([0, 2, 5].map((count) => isWarned(after(count)))).toEqual([false, false, false]);
    expect([3, 4].map((count) => isWarned(after(count)))).toEqual([true, true]);
    expect(isWarned(after(3, "approved"))).toBe(false);
    expect(attemptsWarning(3)).toBe(
      "Warning: 3/5 verification attempts used. Account will be removed after 5 consecutive failures.",
    );
    expect(attemptsWarning(4)).toMatch(/^Warning: 4\/5/);
  });

  it("end at five", () => {
    expect(isExhausted(after(4))).toBe(false);
    expect(isExhausted(after(5))).toBe(true);
    expect(mayUpload(after(5))).toBe(false);
  });

  it("are closed while a document waits or was approved", () => {
    expect(mayUpload(after(0, "none"))).toBe(true);
    expect(mayUpload(after(1, "rejected"))).toBe(true);
    expect(mayUpload(after(0, "pending"))).toBe(false);
    expect(mayUpload(after(0, "approved"))).toBe(false);
  });
});

describe("the clock of a review", () => {
  const hour = 3_600_000;
  it.each([
    [0, "48 h left", false],
    [26 * hour, "22 h left", false],
    [47.5 * hour, "Less than 1 h left", false],
    [48 * hour, "Less than 1 h left", false],
    [50.2 * hour, "3 h overdue", true],
  ])("after %d ms says %s", (waited, label, overdue) => {
    const deadline = reviewDeadline(1000, 1000 + waited);
    expect(deadline).toMatchObject({ overdue });
    expect(deadlineText(deadline)).toBe(label);
  });
});
