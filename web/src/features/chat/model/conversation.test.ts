import { beforeEach, describe, expect, it, vi } from "vitest";
import { createManualClock } from "@/lib/testing/manual-clock.ts";
import { createConversation } from "./conversation.ts";
import type { ConversationSource, MessageWatcher } from "./conversation-source.ts";
import { shownMessages } from "./message-list.ts";
import type { MessageAuthor, MessageRow } from "./message.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const ben: MessageAuthor = {
  id: "ben",
  name: "Ben",
  role: "mentor",
  occupation: "",
  avatarUrl: null,
};

function row(second: number, differs: Partial<MessageRow> = {}): MessageRow {
  const createdAtRaw = `2026-11-21T10:00:${String(second).padStart(2, "0")}+00:00`;
  return {
    id: `m${second}`,
    authorId: "ben",
    content: `message ${second}`,
    parentId: null,
    likeCount: 0,
    createdAtRaw,
    changedAtRaw: createdAtRaw,
    edited: false,
    deleted: false,
    author: ben,
    liked: false,
    ...differs,
  };
}

/** The live stream knows the row alone. */
function bare(second: number, differs: Partial<MessageRow> = {}): MessageRow {
  const { author: _author, liked: _liked, ...rest } = row(second, differs);
  return rest;
}

/** A conversation over a server that holds these rows. */
function room(rows: MessageRow[], differs: Partial<ConversationSource> = {}) {
  const server = { rows, lastRead: null as number | null, failing: false };
  const calls: string[] = [];
  let watcher: MessageWatcher | null = null;
  const clock = createManualClock();
  const size = 3;
  const source: ConversationSource = {
    readPage: (before) => {
      calls.push(`page ${before?.id ?? "newest"}`);
      const end = before ? server.rows.findIndex(({ id }) => id === before.id) : server.rows.length;
      const page = server.rows.slice(Math.max(0, end - size), end);
      return Promise.resolve({ rows: page, hasOlder: page.length === size });
    },
    readNewer: (from) => {
      const start = server.rows.findIndex(({ id }) => id === from.id);
      const page = server.rows.slice(start, start + size);
      return Promise.resolve({ rows: page, hasNewer: page.length === size });
    },
    readChanges: (since) => {
      calls.push(`changes ${since.slice(17, 19)}`);
      if (server.failing) return Promise.reject(new Error("cut"));
      return Promise.resolve(server.rows.filter(({ changedAtRaw }) => changedAtRaw >= since));
    },
    findMessageCursor: (id) => {
      const found = server.rows.find((each) => each.id === id);
      return Promise.resolve(found ? { id, createdAtRaw: found.createdAtRaw } : null);
    },
    readLastRead: () => Promise.resolve(server.lastRead),
    markRead: (upTo) => {
      calls.push(`read ${upTo.slice(17, 19)}`);
      return Promise.resolve();
    },
    setLike: (id, liked) => {
      calls.push(`${liked ? "like" : "unlike"} ${id}`);
      return server.failing ? Promise.reject(new Error("cut")) : Promise.resolve();
    },
    watch: (given) => {
      watcher = given;
      return () => {
        watcher = null;
      };
    },
    ...differs,
  };
  const conversation = createConversation(source, "ada", clock);
  const settle = () => clock.advance(0);
  return {
    conversation,
    server,
    calls,
    clock,
    settle,
    live: () => watcher,
    shown: () => shownMessages(conversation.getState().list).map(({ id }) => id),
  };
}

describe("opening a room", () => {
  it("shows the newest page and fetches messages missed before the subscription joined", async () => {
    const { conversation, server, settle, live, shown, calls } = room([
      row(1),
      row(2),
      row(3),
      row(4),
    ]);
    conversation.start(null);
    await settle();
    expect(shown()).toEqual(["m2", "m3", "m4"]);
    expect(conversation.getState()).toMatchObject({ phase: "ready", live: "joining" });
    server.rows.push(row(5));
    live()?.onConnected();
    await settle();
    expect(shown()).toEqual(["m2", "m3", "m4", "m5"]);
    expect(calls).toEqual(["page newest", "changes 04"]);
  });

  it("puts the unread line above the first new message by another member", async () => {
    const { conversation, server, settle } = room([row(1), row(2, { authorId: "ada" }), row(3)]);
    server.lastRead = Date.parse(row(1).createdAtRaw);
    conversation.start(null);
    await settle();
    expect(conversation.getState().unreadId).toBe("m3");
  });

  it("loads a page on either side of a linked message", async () => {
    const rows = Array.from({ length: 12 }, (_each, index) => row(index + 10));
    const { conversation, settle, shown } = room(rows);
    conversation.start("m15");
    await settle();
    expect(shown()).toEqual(["m12", "m13", "m14", "m15", "m16", "m17"]);
    expect(conversation.getState()).toMatchObject({ list: { hasNewer: true } });
    await conversation.loadNewer();
    expect(shown().at(-1)).toBe("m19");
    await conversation.loadOlder();
    expect(shown()[0]).toBe("m10");
    expect(conversation.getState().list).toMatchObject({ hasOlder: false, grewOnTop: true });
    await conversation.reopen(null);
    expect(shown()).toEqual(["m19", "m20", "m21"]);
  });

  it("reports a failure and can be tried again", async () => {
    let broken = true;
    const { conversation, settle, shown } = room([row(1)], {
      readPage: () =>
        broken
          ? Promise.reject(new Error("cut"))
          : Promise.resolve({ rows: [row(1)], hasOlder: false }),
    });
    conversation.start(null);
    await settle();
    expect(conversation.getState().phase).toBe("failed");
    broken = false;
    await conversation.reopen(null);
    expect(shown()).toEqual(["m1"]);
  });
});

describe("live messages", () => {
  it("takes the author of a live message from earlier messages", async () => {
    const { conversation, settle, live, shown } = room([row(1)]);
    conversation.start(null);
    await settle();
    live()?.onRow(bare(2), true);
    live()?.onRow(bare(2), true);
    expect(shown()).toEqual(["m1", "m2"]);
    expect(conversation.getState()).toMatchObject({ liveMessageCount: 1 });
    expect(conversation.getState().list.messages[1]?.author).toEqual(ben);
  });

  it("fetches unknown authors and quotes", async () => {
    const cy = { ...ben, id: "cy", name: "Cy" };
    const quote = { id: "m0", author: "Ben", content: "long ago" };
    const { conversation, server, settle, live } = room([row(1)]);
    conversation.start(null);
    await settle();
    server.rows.push(row(2, { authorId: "cy", author: cy, parentId: "m0", quote }));
    live()?.onRow(bare(2, { authorId: "cy", parentId: "m0" }), true);
    expect(conversation.getState().list.messages[1]).toMatchObject({ author: null, quote: null });
    await settle();
    expect(conversation.getState().list.messages[1]).toMatchObject({ author: cy, quote });
  });

  it("ignores changes to messages that are not loaded", async () => {
    const { conversation, settle, live, shown } = room([1, 2, 3, 4, 5].map((n) => row(n)));
    conversation.start(null);
    await settle();
    live()?.onRow(bare(1, { likeCount: 1, changedAtRaw: row(6).createdAtRaw }), false);
    expect(shown()).toEqual(["m3", "m4", "m5"]);
    expect(conversation.getState()).toMatchObject({ liveMessageCount: 0 });
  });

  it("keeps messages that arrive while the page is loading", async () => {
    const { conversation, server, settle, live, shown } = room([row(1)]);
    conversation.start(null);
    live()?.onConnected();
    server.rows.push(row(2));
    live()?.onRow(bare(2), true);
    await settle();
    expect(shown()).toEqual(["m1", "m2"]);
  });

  it("keeps a message that was sent while an empty room was read once more", async () => {
    const answers: (() => void)[] = [];
    const { conversation, settle, live, shown } = room([], {
      readPage: () =>
        new Promise((resolve) => {
          answers.push(() => resolve({ rows: [], hasOlder: false }));
        }),
    });
    conversation.start(null);
    await settle();
    answers[0]?.();
    await settle();
    live()?.onConnected();
    await settle();
    expect(answers).toHaveLength(2);
    conversation.accept(row(1, { authorId: "ada" }));
    answers[1]?.();
    await settle();
    expect(shown()).toEqual(["m1"]);
  });
});

describe("missed messages", () => {
  it("are fetched on every reconnect, and the connection is shown as lost in between", async () => {
    const { conversation, server, settle, live, shown } = room([row(1), row(2)]);
    conversation.start(null);
    live()?.onConnected();
    await settle();
    live()?.onLost();
    expect(conversation.getState().live).toBe("lost");
    server.rows[0] = row(1, { likeCount: 7, changedAtRaw: row(8).changedAtRaw });
    server.rows.push(row(3), row(4));
    live()?.onConnected();
    await settle();
    expect(shown()).toEqual(["m1", "m2", "m3", "m4"]);
    expect(conversation.getState().list.messages[0]?.likeCount).toBe(7);
    expect(conversation.getState().live).toBe("live");
  });

  it("are fetched again after a failure", async () => {
    const { conversation, server, settle, clock, shown } = room([row(1)]);
    conversation.start(null);
    await settle();
    server.rows.push(row(2));
    server.failing = true;
    await conversation.syncMissed();
    expect(shown()).toEqual(["m1"]);
    server.failing = false;
    await clock.advance(2000);
    expect(shown()).toEqual(["m1", "m2"]);
  });

  it("are not fetched again after leaving the room", async () => {
    const { conversation, server, settle, clock, calls } = room([row(1)]);
    const leave = conversation.start(null);
    await settle();
    server.failing = true;
    const closing = conversation.syncMissed();
    leave();
    await closing;
    await clock.advance(60_000);
    expect(calls.filter((call) => call.startsWith("changes"))).toHaveLength(1);
  });

  it("reload the room when there are too many", async () => {
    const { conversation, server, settle, shown } = room([row(1)], {
      readChanges: () => Promise.resolve(null),
    });
    conversation.start(null);
    await settle();
    server.rows.push(row(2), row(3), row(4));
    await conversation.syncMissed();
    expect(shown()).toEqual(["m2", "m3", "m4"]);
  });
});

describe("likes", () => {
  it("are shown at once, and reverted when they were not saved", async () => {
    const { conversation, server, settle, calls } = room([row(1)]);
    conversation.start(null);
    await settle();
    conversation.toggleLike("m1");
    expect(conversation.getState().list.messages[0]).toMatchObject({ liked: true, likeCount: 1 });
    await settle();
    server.failing = true;
    conversation.toggleLike("m1");
    expect(conversation.getState().list.messages[0]).toMatchObject({ liked: false, likeCount: 0 });
    await settle();
    expect(conversation.getState().list.messages[0]).toMatchObject({ liked: true, likeCount: 1 });
    expect(calls.filter((call) => call.includes("like"))).toEqual(["like m1", "unlike m1"]);
  });

  it("send only the latest state after quick presses, one request at a time", async () => {
    const { conversation, settle, calls } = room([row(1)]);
    conversation.start(null);
    await settle();
    for (let press = 0; press < 5; press += 1) conversation.toggleLike("m1");
    await settle();
    expect(conversation.getState().list.messages[0]?.liked).toBe(true);
    expect(calls.filter((call) => call.includes("like"))).toEqual(["like m1"]);
  });
});

it("saves the read position once for each newest message", async () => {
  const { conversation, settle, live, calls } = room([row(1)]);
  conversation.start(null);
  await settle();
  conversation.markRead();
  conversation.markRead();
  live()?.onRow(bare(2), true);
  conversation.markRead();
  expect(calls.filter((call) => call.startsWith("read"))).toEqual(["read 01", "read 02"]);
});

it("ignores answers after leaving the room", async () => {
  const { conversation, settle, live, shown } = room([row(1)]);
  const leave = conversation.start(null);
  leave();
  await settle();
  expect(live()).toBeNull();
  expect(shown()).toEqual([]);
});
