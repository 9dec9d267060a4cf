import { describe, expect, it } from "vitest";
import { changeList, emptyList, shownMessages, type MessageList } from "./message-list.ts";
import { microsecondsOf, outgoingMessage, type MessageAuthor, type MessageRow } from "./message.ts";

const ada: MessageAuthor = {
  id: "ada",
  name: "Ada",
  role: "student",
  occupation: "",
  avatarUrl: null,
};

/** A row written at this second of one minute. */
function row(id: string, second: number, differs: Partial<MessageRow> = {}): MessageRow {
  const createdAtRaw = `2026-11-21T10:00:${String(second).padStart(2, "0")}.5+00:00`;
  return {
    id,
    authorId: "ada",
    content: `words of ${id}`,
    parentId: null,
    likeCount: 0,
    createdAtRaw,
    changedAtRaw: createdAtRaw,
    edited: false,
    deleted: false,
    author: ada,
    liked: false,
    ...differs,
  };
}

const knownBefore: ReadonlySet<string> = new Set();
const opened = (rows: MessageRow[], hasOlder = false, hasNewer = false): MessageList =>
  changeList(emptyList, { kind: "opened", knownBefore, rows, hasOlder, hasNewer });
const arrived = (list: MessageList, ...rows: MessageRow[]) =>
  changeList(list, { kind: "arrived", rows });
const ids = (list: MessageList) => shownMessages(list).map(({ id }) => id);

describe("the order of a room", () => {
  it("is by time to the microsecond, then by id descending, as in the database", () => {
    const at = (createdAtRaw: string) => ({ createdAtRaw, changedAtRaw: createdAtRaw });
    const list = opened([
      row("a", 0, at("2026-11-21T10:00:00.000002+00:00")),
      row("b", 0, at("2026-11-21T10:00:00.000001+00:00")),
      row("c", 0, at("2026-11-21T10:00:00.000001+00:00")),
      row("d", 0, at("2026-11-21T10:00:00+00:00")),
    ]);
    expect(ids(list)).toEqual(["d", "c", "b", "a"]);
  });

  it.each([
    ["2026-11-21T10:00:00+00:00", 0],
    ["2026-11-21T10:00:00.1+00:00", 100_000],
    ["2026-11-21T10:00:00.123456+00:00", 123_456],
    ["2026-11-21 10:00:00.000007+00:00", 7],
  ])("reads %s", (createdAtRaw, microseconds) => {
    const whole = Date.parse("2026-11-21T10:00:00Z") * 1000;
    expect(microsecondsOf(createdAtRaw)).toBe(whole + microseconds);
  });
});

describe("live rows", () => {
  it("is listed once, however often it arrives", () => {
    let list = opened([row("a", 1)]);
    for (let time = 0; time < 3; time += 1) list = arrived(list, row("b", 2), row("b", 2));
    expect(ids(list)).toEqual(["a", "b"]);
  });

  it("is sorted into place when it arrives late", () => {
    expect(ids(arrived(opened([row("a", 1), row("c", 3)]), row("b", 2)))).toEqual(["a", "b", "c"]);
  });

  it("keeps author, quote and own like, which live rows do not have", () => {
    const quote = { id: "z", author: "Ben", content: "before" };
    const list = opened([row("a", 1, { liked: true, quote })]);
    const {
      author: _author,
      liked: _liked,
      ...bare
    } = row("a", 1, {
      changedAtRaw: row("a", 9).changedAtRaw,
      content: "edited",
      edited: true,
    });
    expect(arrived(list, bare).messages[0]).toMatchObject({
      content: "edited",
      author: ada,
      quote,
      liked: true,
    });
  });

  it("never replaces a newer state with an older one", () => {
    const now = arrived(
      opened([row("a", 1)]),
      row("a", 1, { changedAtRaw: row("a", 5).changedAtRaw, likeCount: 2 }),
    );
    const overtaken = arrived(
      now,
      row("a", 1, { changedAtRaw: row("a", 3).changedAtRaw, likeCount: 1 }),
    );
    expect(overtaken.messages[0]?.likeCount).toBe(2);
  });

  it("is ignored outside the loaded range, so that there are no gaps", () => {
    const list = opened([row("m", 10), row("n", 11)], true, true);
    expect(arrived(list, row("a", 1))).toBe(list);
    expect(arrived(list, row("z", 20))).toBe(list);
    expect(
      ids(arrived(list, row("m2", 10, { createdAtRaw: "2026-11-21T10:00:10.7+00:00" }))),
    ).toEqual(["m", "m2", "n"]);
  });

  it("applies a deletion", () => {
    const list = arrived(
      opened([row("a", 1)]),
      row("a", 1, { changedAtRaw: row("a", 2).changedAtRaw, content: "", deleted: true }),
    );
    expect(list.messages[0]).toMatchObject({ deleted: true, content: "" });
  });
});

describe("pages", () => {
  it("are added on top and keep the scroll anchor", () => {
    const list = opened([row("c", 3)], true);
    const older = changeList(list, {
      kind: "older",
      rows: [row("a", 1), row("b", 2)],
      hasOlder: false,
    });
    expect(ids(older)).toEqual(["a", "b", "c"]);
    expect(older).toMatchObject({ hasOlder: false, grewOnTop: true });
    expect(arrived(older, row("d", 4)).grewOnTop).toBe(false);
    expect(changeList(older, { kind: "outgoing", messages: [] }).grewOnTop).toBe(false);
  });

  it("are added below when the list was opened at an older message", () => {
    const list = opened([row("a", 1)], true, true);
    const newer = changeList(list, {
      kind: "newer",
      rows: [row("a", 1), row("b", 2)],
      hasNewer: false,
    });
    expect(ids(newer)).toEqual(["a", "b"]);
    expect(newer).toMatchObject({ hasOlder: true, hasNewer: false, grewOnTop: false });
  });
});

describe("likes", () => {
  it("are counted once and can be taken back", () => {
    const list = opened([row("a", 1, { likeCount: 4 })]);
    const like = (from: MessageList, liked: boolean) =>
      changeList(from, { kind: "liked", id: "a", liked });
    const liked = like(list, true);
    expect(liked.messages[0]).toMatchObject({ liked: true, likeCount: 5 });
    expect(like(liked, true)).toBe(liked);
    expect(like(liked, false).messages[0]).toMatchObject({ liked: false, likeCount: 4 });
    expect(changeList(list, { kind: "liked", id: "nobody", liked: true })).toBe(list);
  });
});

describe("outgoing messages", () => {
  const outgoing = outgoingMessage(
    { id: "mine", roomId: "r", author: ada, content: "hello", quote: null, writtenAt: 1 },
    "sending",
  );

  it("are listed last, and once when the live row arrives before the answer", () => {
    const list = changeList(opened([row("a", 1)]), { kind: "outgoing", messages: [outgoing] });
    expect(ids(arrived(list, row("b", 2)))).toEqual(["a", "b", "mine"]);
    const saved = arrived(list, row("mine", 3));
    expect(ids(saved)).toEqual(["a", "mine"]);
    expect(shownMessages(saved).at(-1)?.delivery).toBe("saved");
  });

  it("are kept when the room is reloaded", () => {
    const list = changeList(opened([row("a", 1)]), { kind: "outgoing", messages: [outgoing] });
    const again = changeList(list, {
      kind: "opened",
      knownBefore: new Set(["a"]),
      rows: [row("b", 2)],
      hasOlder: true,
      hasNewer: false,
    });
    expect(ids(again)).toEqual(["b", "mine"]);
  });
});

describe("a page that is read again", () => {
  const reopen = (list: MessageList, known: string[], rows: MessageRow[], hasNewer = false) =>
    changeList(list, {
      kind: "opened",
      knownBefore: new Set(known),
      rows,
      hasOlder: false,
      hasNewer,
    });

  it("replaces what was known, and keeps what came while it was read", () => {
    const list = opened([row("a", 1), row("b", 3)]);
    expect(ids(reopen(list, ["a"], [row("c", 2)]))).toEqual(["c", "b"]);
    // Beyond the end of the page it would leave a gap.
    expect(ids(reopen(list, ["a"], [row("c", 2)], true))).toEqual(["c"]);
  });

  it("doesn't undo what was changed while it was read", () => {
    const edited = row("a", 1, { content: "New", changedAtRaw: row("z", 9).changedAtRaw });
    const [message] = reopen(opened([edited]), ["a"], [row("a", 1, { content: "Old" })]).messages;
    expect(message?.content).toBe("New");
  });
});
