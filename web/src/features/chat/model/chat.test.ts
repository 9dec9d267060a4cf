import { describe, expect, it } from "vitest";
import { newId } from "@/lib/uuid.ts";
import { checkDraft, restoreText } from "./draft.ts";
import { splitLinks } from "@/lib/links.ts";
import { outgoingMessage, type ChatMessage } from "./message.ts";
import { formatTyping } from "../components/format-typing.ts";
import { applyPeopleChange, idsFrom, peopleChangeFrom, peopleOf, typingIdFrom } from "./people.ts";
import { canEnter, sectionsOf, type RoomOverview } from "./room.ts";
import { firstUnread, toListRows } from "./list-rows.ts";
import { draftError } from "../components/draft-error.ts";

const noon = new Date(2026, 10, 21, 12, 0, 0).getTime();
const minute = 60_000;
const day = 24 * 60 * minute;

describe("a draft", () => {
  it("is trimmed, and empty without visible characters", () => {
    expect(checkDraft("  hello \n")).toMatchObject({ content: "hello", empty: false, over: 0 });
    for (const text of ["", " \n\t", "\u200b\u200d\ufeff", "\u2066\u2069"]) {
      expect(checkDraft(text).empty).toBe(true);
    }
    expect(checkDraft("👩‍💻").empty).toBe(false);
  });

  it("accepts 4,000 characters as the database counts them, and reports the excess", () => {
    expect(checkDraft("x".repeat(3499)).counter).toBeNull();
    expect(checkDraft("x".repeat(3500)).counter).toBe("3,500 / 4,000");
    expect(checkDraft("😀".repeat(4000))).toMatchObject({ over: 0, counter: "4,000 / 4,000" });
    expect(checkDraft("x".repeat(10_000))).toMatchObject({
      counter: "10,000 / 4,000",
      over: 6000,
    });
    // People see 580 characters; the database counts seven for each family.
    expect(checkDraft("👨‍👩‍👧‍👦".repeat(580))).toMatchObject({
      counter: "4,060 / 4,000",
      countingNote: "Some emoji and accented letters count as several characters.",
      over: 60,
    });
    expect(checkDraft("👨‍👩‍👧‍👦".repeat(100)).countingNote).toBe("");
    expect(checkDraft("x".repeat(3900)).countingNote).toBe("");
    expect(draftError({ over: 60 })).toBe(
      "This is 60 characters too long. Messages can have up to 4,000.",
    );
    expect(draftError({ over: 6000 })).toBe(
      "This is 6,000 characters too long. Messages can have up to 4,000.",
    );
    expect(draftError(checkDraft("x".repeat(4001)))).toMatch(/^This is 1 character too long\./);
  });

  it("is restored before text typed since", () => {
    expect(restoreText("rejected", " ")).toBe("rejected");
    expect(restoreText("rejected", "typed")).toBe("rejected\ntyped");
  });
});

describe("links", () => {
  const links = (text: string) =>
    splitLinks(text).flatMap((segment) => (segment.kind === "link" ? [segment.text] : []));

  it.each([
    ["see https://example.com.", "https://example.com"],
    ["(https://example.com/a)", "https://example.com/a"],
    ["https://example.com/a_(b)", "https://example.com/a_(b)"],
    ["http://example.com/?q=1&r=2#x, and", "http://example.com/?q=1&r=2#x"],
    ["HTTPS://EXAMPLE.COM", "HTTPS://EXAMPLE.COM"],
  ])("%s", (text, link) => {
    expect(links(text)).toEqual([link]);
    expect(
      splitLinks(text)
        .map((segment) => segment.text)
        .join(""),
    ).toBe(text);
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://example.com",
    "https://",
    "https://name:word@example.com",
    "xhttps://example.com",
    "//example.com",
    "[x](javascript:alert(1))",
  ])("are not made of %s", (text) => {
    expect(links(text)).toEqual([]);
    expect(splitLinks(text)).toEqual([{ kind: "text", text }]);
  });
});

describe("rows", () => {
  const message = (id: string, authorId: string, createdAt: number): ChatMessage => ({
    ...outgoingMessage(
      {
        id,
        roomId: "r",
        author: { id: authorId, name: authorId, role: "student", occupation: "", avatarUrl: null },
        content: id,
        quote: null,
        writtenAt: createdAt,
      },
      "queued",
    ),
    delivery: "saved",
  });
  const options = { unreadId: null, hasOlder: false };
  const heads = (messages: ChatMessage[]) => toListRows(messages, options).map(({ head }) => head);

  it("are grouped by author and minute", () => {
    const start = noon + 1000;
    expect(
      heads([
        message("a", "ada", start),
        message("b", "ada", start + 50_000),
        message("c", "ada", start + 60_000),
        message("d", "ben", start + 61_000),
        message("e", "ada", start + 62_000),
      ]),
    ).toEqual([true, false, true, true, true]);
  });

  it("begin each day with its date, the first only when nothing is above it", () => {
    const messages = [
      message("a", "ada", noon),
      message("b", "ada", noon + minute),
      message("c", "ada", noon + day),
    ];
    const days = (hasOlder: boolean) =>
      toListRows(messages, { ...options, hasOlder }).map((row) => row.day !== null);
    expect(days(false)).toEqual([true, false, true]);
    expect(days(true)).toEqual([false, false, true]);
  });

  it("show the unread line above the first message by another member", () => {
    const messages = [
      message("a", "ben", noon),
      message("b", "ada", noon + minute),
      message("c", "ben", noon + 2 * minute),
    ];
    expect(firstUnread(messages, noon, "ada")).toBe("c");
    expect(firstUnread(messages, null, "ada")).toBeNull();
    expect(firstUnread(messages, noon + day, "ada")).toBeNull();
    const unreadId = "c";
    expect(toListRows(messages, { ...options, unreadId }).map(({ unread }) => unread)).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe("people", () => {
  const [a, b] = ["a", "b"].map((each) => `${each.repeat(8)}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`);

  it("are counted once each, and invalid ids are ignored", () => {
    expect(idsFrom([a, b, a, 3, null, "ada"])).toEqual([a, b]);
    for (const nonsense of [undefined, "Ada", {}]) expect(idsFrom(nonsense)).toEqual([]);
    for (const nonsense of [null, {}, { user_id: "ada" }, 7]) {
      expect(typingIdFrom(nonsense)).toBeNull();
      expect(peopleChangeFrom(nonsense)).toEqual({ joined: [], left: [] });
    }
    expect(typingIdFrom({ user_id: a })).toBe(a);
  });

  it("come and leave", () => {
    const one = peopleChangeFrom({ joined: [b], id: "x" });
    expect([...applyPeopleChange(new Set([a ?? ""]), one)]).toEqual([a, b]);
    const two = peopleChangeFrom({ left: [a, "nobody"] });
    expect([...applyPeopleChange(new Set([a ?? "", b ?? ""]), two)]).toEqual([b]);
  });

  it("are named from their profiles", () => {
    const ada = { id: a ?? "", name: "Ada", role: "student", avatarUrl: null } as const;
    expect(peopleOf([b ?? "", ada.id], new Map([[ada.id, ada]]))).toEqual([ada]);
  });

  it.each([
    [[], ""],
    [["Ada"], "Ada is typing…"],
    [["Ada", "Ben"], "Ada and Ben are typing…"],
    [["Ada", "Ben", "Cy"], "Ada, Ben and 1 other are typing…"],
    [["Ada", "Ben", "Cy", "Di"], "Ada, Ben and 2 others are typing…"],
  ])("%j: %s", (names, words) => {
    expect(formatTyping(names)).toBe(words);
  });
});

describe("rooms", () => {
  const room = (id: string, minLevel: number): RoomOverview => ({
    id,
    name: id,
    description: "",
    minLevel,
    participants: 1,
    unread: 0,
    lastMessageAt: null,
    faces: [],
    lastLine: null,
  });

  it("are grouped by the level that opens them", () => {
    const sections = sectionsOf([room("a", 1), room("b", 2), room("c", 4)], 2);
    expect(sections.map(({ level, open, rooms }) => [level.name, open, rooms.length])).toEqual([
      ["Community", true, 1],
      ["Knowledge", true, 1],
      ["Wealth", false, 1],
    ]);
    expect(canEnter(room("b", 2), 1)).toBe(false);
    expect(canEnter(room("b", 2), 2)).toBe(true);
  });
});

it("generates ids the database accepts", () => {
  const ids = Array.from({ length: 100 }, newId);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(ids).size).toBe(100);
});
