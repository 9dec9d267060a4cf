import { describe, expect, it } from "vitest";
import { cursorAfter, olderThan, submissionsOf, withLike, withNew, withoutOne } from "./feed.ts";
import { draftSchema } from "../components/draft-schema.ts";
import {
  maxContentLength,
  emptyDraft,
  isIncomplete,
  maxTitleLength,
  storedSubmission,
} from "./draft.ts";
import { fittedSize } from "@/lib/reencode-image.ts";
import { imageFileIssue, imageName } from "./validate-image.ts";
import { toSubmission, type Submission } from "./submission.ts";
import { submissionTypeInfo } from "../components/submission-type-info.ts";
import { pickableTypes, submissionTypes } from "./submission-type.ts";
import { submissionStrings } from "../strings.ts";

const row = {
  id: "s1",
  user_id: "u1",
  submission_type: "failure",
  title: "Lost a client",
  content: "I answered too late.",
  image_url: null,
  is_featured: false,
  like_count: 2,
  comment_count: 1,
  created_at: "2026-11-20T10:00:00+00:00",
  author: { id: "u1", first_name: "Ada", last_name: "Byron", role: "mentor", occupation: null },
  likes: [{ user_id: "me" }],
};

function submission(differs: Partial<Submission> = {}): Submission {
  const made = toSubmission(row);
  if (made === null) throw new Error("the row is not one");
  return { ...made, ...differs };
}

describe("a submission", () => {
  it("is read with its author and the reader's own like", () => {
    expect(submission()).toMatchObject({
      type: "failure",
      author: { name: "Ada Byron", role: "mentor" },
      likedByMe: true,
      likeCount: 2,
    });
    expect(toSubmission({ ...row, likes: [], author: null })).toMatchObject({
      author: { id: "u1", name: "A member", role: "student" },
      likedByMe: false,
    });
    expect(toSubmission({ ...row, title: 7 })).toBeNull();
  });

  it("is of one of five types, each with its own colour and emoji; a pact cannot be picked", () => {
    expect(submissionTypes).toEqual([
      "pact",
      "progress_report",
      "before_after",
      "failure",
      "success",
    ]);
    const looks = submissionTypes.map((type) => submissionTypeInfo[type]);
    expect(new Set(looks.map(({ colour }) => colour)).size).toBe(5);
    expect(new Set(looks.map(({ emoji }) => emoji)).size).toBe(5);
    expect(pickableTypes).not.toContain("pact");
    expect(pickableTypes).toHaveLength(4);
  });
});

describe("the feed", () => {
  const page = (...submissions: Submission[]) => ({ submissions, next: null });
  const feed = { pages: [page(submission())], pageParams: [null] };
  const fresh = submission({ id: "s2", type: "success" });

  it("adds a new submission on top, once, and only when it matches the filter", () => {
    const grown = withNew(feed, fresh, null);
    expect(submissionsOf(grown).map(({ id }) => id)).toEqual(["s2", "s1"]);
    expect(withNew(grown, fresh, null)).toBe(grown);
    expect(withNew(feed, fresh, "failure")).toBe(feed);
    expect(submissionsOf(withNew(feed, fresh, "success"))).toHaveLength(2);
    const empty = { pages: [page()], pageParams: [] };
    expect(submissionsOf(withNew(empty, fresh, null))).toHaveLength(1);
  });

  it("shows each submission once when pages overlap, and removes deleted ones", () => {
    const overlapping = { pages: [page(fresh, submission()), page(submission())], pageParams: [] };
    expect(submissionsOf(overlapping).map(({ id }) => id)).toEqual(["s2", "s1"]);
    expect(submissionsOf(withoutOne(overlapping, "s1")).map(({ id }) => id)).toEqual(["s2"]);
    expect(submissionsOf(undefined)).toEqual([]);
  });

  it("continues after the last submission of a full page", () => {
    expect(cursorAfter([submission()], 1)).toEqual({ createdAt: row.created_at, id: "s1" });
    expect(cursorAfter([submission()], 2)).toBeNull();
    expect(olderThan({ createdAt: "T", id: "x" })).toBe(
      'created_at.lt."T",and(created_at.eq."T",id.lt."x")',
    );
  });

  it("continues from the same cursor after additions and deletions", () => {
    const next = { createdAt: row.created_at, id: "s1" };
    const full = { pages: [{ submissions: [submission()], next }], pageParams: [] };
    for (const later of [withoutOne(full, "s1"), withNew(full, fresh, null)]) {
      expect(later.pages.map((each) => each.next)).toEqual([next]);
    }
  });

  it("counts a like once and never below zero", () => {
    const unliked = withLike(submission(), false);
    expect(unliked).toMatchObject({ likedByMe: false, likeCount: 1 });
    expect(withLike(unliked, false)).toBe(unliked);
    expect(withLike(submission({ likeCount: 0 }), false).likeCount).toBe(0);
    expect(withLike(unliked, true).likeCount).toBe(2);
  });
});

describe("a draft", () => {
  const draft = { type: "failure", title: " T ", content: " C " } as const;
  const problemsOf = (given: unknown) =>
    draftSchema.safeParse(given).error?.issues.map(({ path, message }) => [path[0], message]) ?? [];

  it("needs type, title and content, and treats spaces as empty", () => {
    expect(isIncomplete(draft)).toBe(false);
    expect(draftSchema.parse(draft)).toEqual({ type: "failure", title: "T", content: "C" });
    for (const gap of [{ type: null }, { title: "  " }, { content: "\n" }]) {
      expect(isIncomplete({ ...draft, ...gap })).toBe(true);
      expect(problemsOf({ ...draft, ...gap }).map(([field]) => field)).toEqual(Object.keys(gap));
    }
  });

  it("may be as long as the database allows, counted in characters", () => {
    expect(problemsOf({ ...draft, title: "🏆".repeat(maxTitleLength) })).toEqual([]);
    expect(problemsOf({ ...draft, title: "a".repeat(maxTitleLength + 1) })).toEqual([
      ["title", "That is 1 character too long."],
    ]);
    expect(problemsOf({ ...draft, content: "a".repeat(maxContentLength + 2) })).toEqual([
      ["content", "That is 2 characters too long."],
    ]);
  });

  it("is stored for its author, and invalid stored content is ignored", () => {
    sessionStorage.clear();
    storedSubmission.keep(draft, "ada");
    expect(storedSubmission.read("ada")).toEqual(draft);
    expect(storedSubmission.read("grace")).toEqual(emptyDraft);
    for (const odd of ["{", "[]", '{"type":"pact","title":1}']) {
      sessionStorage.setItem("submission-draft-ada", odd);
      expect(storedSubmission.read("ada")).toEqual(emptyDraft);
    }
    sessionStorage.setItem("submission-draft-ada", '{"type":"pact","title":"a","content":"b"}');
    expect(storedSubmission.read("ada")).toEqual({ type: null, title: "a", content: "b" });
  });
});

describe("a picture", () => {
  const file = (name: string, type: string, size = 10) => ({ name, type, size });

  it.each([
    [file("a.jpg", "image/jpeg"), null],
    [file("a.JPEG", "image/jpeg"), null],
    [file("a.png", "image/png"), null],
    [file("a.png", ""), null],
    [file("a.png", "image/png", 5 * 1024 * 1024 - 1), null],
    [file("a.gif", "image/gif"), "Please upload a JPG or PNG image."],
    [file("a.svg", "image/svg+xml"), "Please upload a JPG or PNG image."],
    [file("a.png", "image/webp"), "Please upload a JPG or PNG image."],
    [file("a", "image/png"), "Please upload a JPG or PNG image."],
    [file("a.jpg", "image/jpeg", 5 * 1024 * 1024), "Image size must be less than 5MB."],
  ])("%o: %s", (fields, issue) => {
    const found = imageFileIssue(fields);
    expect(found === null ? null : submissionStrings[found]).toBe(issue);
  });

  it("is named by member, time and kind", () => {
    expect(imageName("u1", 1234, file("Holiday.PNG", "image/png"))).toBe("u1-1234.png");
    expect(imageName("u1", 1234, file("a.jpeg", "image/jpeg"))).toBe("u1-1234.jpeg");
  });

  it.each([
    [800, 600, 800, 600],
    [3200, 1600, 1600, 800],
    [1000, 4000, 400, 1600],
    [5000, 1, 1600, 1],
  ])("of %i × %i is sent as %i × %i", (width, height, fittedWidth, fittedHeight) => {
    expect(fittedSize(width, height, 1600)).toEqual({ width: fittedWidth, height: fittedHeight });
  });
});
