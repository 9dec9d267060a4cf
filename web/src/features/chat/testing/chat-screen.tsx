// The chat as members see it, for tests of its parts.
import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { message, overview } from "./chat-rows.ts";

// The page has no layout here; every element is said to be of one size, so that rows are drawn.
class EvenObserver {
  readonly #tell: ResizeObserverCallback;
  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell;
  }
  observe(target: Element): void {
    const contentRect = { width: 800, height: target.getAttribute("role") === "log" ? 600 : 50 };
    queueMicrotask(() =>
      this.#tell([{ target, contentRect } as unknown as ResizeObserverEntry], this),
    );
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Gives the page a size before each test of a file, and takes it away after it. */
export function setUpChatScreen(): void {
  beforeEach(() => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.stubGlobal("ResizeObserver", EvenObserver);
    vi.spyOn(HTMLElement.prototype, "offsetParent", "get").mockImplementation(function parent(
      this: HTMLElement,
    ) {
      return this.parentElement;
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
}

export interface Situation {
  readonly path?: string;
  readonly level?: number;
  readonly role?: string;
  readonly messages?: readonly object[];
  readonly room?: Reply;
  /** The level that may be used now, where it differs from the level reached. */
  readonly usable?: number;
  /** Answers other calls; undefined for those it does not know. */
  readonly reply?: (call: string, body: unknown) => Reply | Promise<Reply> | undefined;
  readonly insert?: (body: Record<string, unknown>) => Promise<Reply> | Reply;
}

/** Opens a page of the chat as Ada. */
export function openChat({
  path = "/chats/general",
  level = 1,
  role,
  messages = [],
  room,
  usable,
  insert,
  reply,
}: Situation) {
  const stored = [...messages];
  return renderApp(path, {
    session: sessionOf(),
    rows: memberRows({ level, ...(role ? { role } : {}) }),
    reply: ({ call, body }) => {
      const given = reply?.(call, body);
      if (given) return given;
      if (call.endsWith("/rpc/chat_room_overview")) return { body: overview };
      if (call.endsWith("/rpc/effective_level") && usable !== undefined) return { body: usable };
      if (call.endsWith("/rpc/room_page")) return { body: stored.toReversed() };
      if (call.endsWith("/rpc/room_changes_since")) return { body: [] };
      if (call.endsWith("/rpc/room_pins")) return { body: [] };
      if (call.includes("participant_count")) return { status: 204 };
      if (call === "GET /rest/v1/chat_rooms") return room ?? { body: [overview[0]] };
      if (call === "POST /rest/v1/chat_messages") {
        const sent = body as Record<string, unknown>;
        return (
          insert?.(sent) ?? { status: 201, body: message(50, { ...sent, author_first_name: "" }) }
        );
      }
      return undefined;
    },
  });
}

export const messageField = () => screen.findByRole("textbox", { name: "Message in General" });
/** The queries of the row a text stands in. */
export const rowOf = async (text: string) => {
  const row = (await screen.findByText(text)).closest("article");
  if (!row) throw new Error(`${text} stands in no row`);
  return within(row);
};
