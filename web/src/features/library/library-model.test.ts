import { describe, expect, it } from "vitest";
import { categories } from "@/domain/categories.ts";
import { isUuid } from "@/lib/uuid.ts";
import { checkMarkdown } from "@/domain/library-markdown.ts";
import { safeLink } from "@/domain/safe-link.ts";
import { ownFileUrl } from "./model/safe-urls.ts";
import { drawCover } from "./model/cover.ts";
import { anchorOf } from "./model/outline.ts";
import {
  savePositionInHistory,
  scrollOffsetOf,
  positionOfVisit,
  readFraction,
} from "./model/reading-position.ts";
import { nextItemOf } from "./model/next-item.ts";
import { progressOf, totalsOf } from "./model/shelf-home.ts";
import { neighboursOf } from "./model/shelf-page.ts";
import { toVideo } from "./model/video.ts";

/** What the check of a text says of a link in its third line. */
function linkIssues(href: string): string[] {
  const issues: string[] = [];
  checkMarkdown(`Words.\n\nSee [the sums](${href}).`, 1, (line, message) =>
    issues.push(`${line}: ${message}`),
  );
  return issues;
}

describe("links of an author", () => {
  it.each([
    ["https://example.org/a?b=c", "https://example.org/a?b=c"],
    ["/knowledge/foundations", "/knowledge/foundations"],
    ["#s-why", "#s-why"],
  ])("%s may be followed, and stand in a text", (href, expected) => {
    expect(safeLink(href)).toBe(expected);
    expect(linkIssues(href)).toEqual([]);
  });

  it.each(["http://example.org", "//evil.example", "javascript:alert(1)", "mailto:a@b.example"])(
    "%s may not stand in a text, which is told by the words that are linked",
    (href) => {
      expect(linkIssues(href)).toEqual([
        expect.stringMatching(/^3: The link on “the sums” to .* doesn't work here\./),
      ]);
    },
  );

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "http://example.org",
    "//evil.example",
    "/\\evil.example",
    "https:evil.example",
    "https://user:word@evil.example",
    "https://localhost/x",
    "https://",
    "mailto:a@b.example",
    "page",
    `https://example.org/${"a".repeat(2000)}`,
    `/${"a".repeat(2000)}`,
    "",
    null,
  ])("%j may not", (href) => {
    expect(safeLink(href)).toBeNull();
  });
});

describe("files", () => {
  it("are loaded from this site and its backend only", () => {
    const origins = ["https://site.example", "https://api.example/rest"];
    expect(ownFileUrl("/a.png", origins)).toBe("/a.png");
    expect(ownFileUrl("https://api.example/storage/a.png", origins)).toBe(
      "https://api.example/storage/a.png",
    );
    for (const foreign of ["https://evil.example/a.png", "//evil.example", "data:x", "", null]) {
      expect(ownFileUrl(foreign, origins)).toBeNull();
    }
  });
});

describe("films", () => {
  const origins = ["https://site.example"];
  it.each([
    ["https://www.youtube.com/watch?v=abcdefghijk", "https://www.youtube-nocookie.com/embed/"],
    ["https://youtu.be/abcdefghijk", "https://www.youtube-nocookie.com/embed/"],
    ["https://www.youtube-nocookie.com/embed/abcdefghijk", "https://www.youtube-nocookie.com/"],
    ["https://vimeo.com/123456789", "https://player.vimeo.com/video/123456789"],
    ["https://player.vimeo.com/video/123456789", "https://player.vimeo.com/video/123456789"],
  ])("%s is led to the player that sets no cookies", (address, start) => {
    const video = toVideo(address, origins);
    expect(video?.kind === "embed" && video.src.startsWith(start)).toBe(true);
  });

  it.each([
    "https://youtube.com.evil.example/watch?v=abcdefghijk",
    "https://evil.example/film.mp4",
    "http://www.youtube.com/watch?v=abcdefghijk",
    "https://www.youtube.com/watch?v=abc",
    "https://vimeo.com/channels/x",
    "/film.svg",
    "https://evil.example/storage/v1/object/authenticated/course-films/1.webm",
    "javascript:alert(1)",
    null,
  ])("%j is not shown", (address) => {
    expect(toVideo(address, origins)).toBeNull();
  });

  it("of this site have captions beside them", () => {
    expect(toVideo("/films/one.webm?x=1", origins)).toEqual({
      kind: "file",
      src: "/films/one.webm?x=1",
      captions: "/films/one.vtt",
    });
  });
});

describe("films from the studio", () => {
  const mentor = "11111111-1111-4111-8111-111111111111";
  const folder = "/storage/v1/object/authenticated/course-films";

  it("are named by their objects, on whatever server", () => {
    expect(toVideo(`${folder}/${mentor}-17.mp4`, [])).toEqual({
      kind: "uploaded",
      film: `${mentor}-17.mp4`,
      captions: `${mentor}-17.vtt`,
    });
  });

  it.each([`${folder}/../x/${mentor}-17.mp4`, `${folder}/${mentor}-17.mp4/x.mp4`])(
    "%s names none",
    (address) => {
      expect(toVideo(address, [])?.kind).not.toBe("uploaded");
    },
  );
});

describe("covers", () => {
  it("are always the same for the same article, and differ from their neighbours", () => {
    const drawn = new Set<string>();
    for (const category of categories) {
      for (const topic of ["one", "two", "three"]) {
        for (const slug of ["alpha", "beta", "gamma", "delta"]) {
          const shapes = drawCover(category, topic, slug);
          expect(drawCover(category, topic, slug)).toEqual(shapes);
          expect(shapes.length).toBeGreaterThan(2);
          expect(shapes.every(({ d }) => !d.includes("NaN"))).toBe(true);
          drawn.add(JSON.stringify(shapes));
        }
      }
    }
    expect(drawn.size).toBe(36);
  });
});

describe("the reading place", () => {
  it("runs from the first line to the last", () => {
    expect(readFraction({ top: 400, height: 3000 }, 900)).toBe(0);
    expect(readFraction({ top: 900 - 3000, height: 3000 }, 900)).toBe(1);
    expect(readFraction({ top: 100, height: 300 }, 900)).toBe(1);
  });

  it("leads back to where it was taken", () => {
    const share = readFraction({ top: -1000, height: 3000 }, 900);
    // The text began 1,400 pixels down the page, of which 2,400 were scrolled by.
    expect(scrollOffsetOf(share, { top: 1400, height: 3000 }, 900)).toBeCloseTo(2400, 0);
  });

  it("is kept in the entry of the history beside what the router wrote there", () => {
    const history = {
      state: { key: "abc" } as unknown,
      replaceState(state: unknown) {
        history.state = state;
      },
    };
    savePositionInHistory(history, 0.4);
    expect(history.state).toEqual({ key: "abc", readingPosition: 0.4 });
    expect(positionOfVisit(history)).toBe(0.4);
    savePositionInHistory(history, 0.99);
    expect(positionOfVisit(history)).toBeNull();
  });
});

describe("counts", () => {
  it("never exceed the total, and an empty section is not complete", () => {
    expect(progressOf(7, 6)).toEqual({ percent: 100, complete: true });
    expect(progressOf(1, 3)).toEqual({ percent: 33, complete: false });
    expect(progressOf(0, 0)).toEqual({ percent: 0, complete: false });
  });

  it("add up over all subcategories", () => {
    const one = { id: "", slug: "", name: "", description: "", color: null, icon: null };
    expect(
      totalsOf({
        isOpen: true,
        subcategories: [
          { ...one, count: 6, done: 2, freeCount: 0 },
          { ...one, count: 3, done: 4, freeCount: 0 },
        ],
      }),
    ).toEqual({ done: 5, count: 9 });
  });
});

it("recognises the ids of items", () => {
  expect(isUuid("a0000000-0000-4000-8000-000000000001")).toBe(true);
  expect(isUuid("some-course")).toBe(false);
  expect(isUuid(undefined)).toBe(false);
});

it("finds the neighbours of an item", () => {
  const items = [{ id: "a" }, { id: "b" }, { id: "c" }];
  expect(neighboursOf(items, "b")).toEqual({ previous: { id: "a" }, next: { id: "c" } });
  expect(neighboursOf(items, "a").previous).toBeNull();
  expect(neighboursOf(items, "x")).toEqual({ previous: null, next: null });
});

it("names anchors after their headings", () => {
  expect(anchorOf("Pay yourself first!")).toBe("pay-yourself-first");
  expect(anchorOf("Café & Zoë’s")).toBe("cafe-zoes");
  expect(anchorOf("???")).toBe("section");
});

describe("what comes next", () => {
  const course = (slug: string, differs: object = {}) => ({
    id: slug,
    slug,
    title: slug,
    completed_at: null,
    is_enrolled: false,
    ...differs,
  });
  const page = (...items: object[]) => ({ is_open: true, items });

  it("is a course that was begun, else the first that is not completed", () => {
    const done = course("done", { is_enrolled: true, completed_at: "2026-11-01T00:00:00Z" });
    const begun = course("begun", { is_enrolled: true });
    expect(nextItemOf(page(done, course("new"), begun))?.slug).toBe("begun");
    expect(nextItemOf(page(done, course("new"), course("newer")))?.slug).toBe("new");
    expect(nextItemOf(page(done))).toBeNull();
    expect(() => nextItemOf({ is_open: true, items: [{ id: 1 }] })).toThrow();
  });
});
