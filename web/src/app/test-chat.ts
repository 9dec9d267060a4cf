import { memberRows, renderApp, sessionOf, type Reply } from "./test-app.tsx";

const rooms = [
  ["general", "General", 1, 3],
  ["success", "Success", 1, 0],
  ["reading-circle", "Reading Circle", 2, 0],
  ["investing", "Investing", 4, 0],
] as const;
export const overview = rooms.map(([id, name, level, unread]) => ({
  id,
  name,
  description: `About ${name}`,
  min_level_required: level,
  participant_count: 2,
  unread_count: unread,
  last_message_at: null,
}));

export const timestamp = (second: number) =>
  `2026-11-21T10:00:${String(second).padStart(2, "0")}+00:00`;

/** A message as `room_page` answers it. */
export function message(second: number, differs: object = {}) {
  return {
    id: `00000000-0000-4000-8000-0000000000${String(second).padStart(2, "0")}`,
    user_id: "ben",
    chat_room_id: "general",
    content: `message ${second}`,
    message_type: "message",
    parent_message_id: null,
    like_count: 0,
    created_at: timestamp(second),
    edited_at: null,
    deleted_at: null,
    changed_at: timestamp(second),
    author_first_name: "Ben",
    author_last_name: "Hur",
    author_role: "student",
    author_occupation: null,
    liked_by_me: false,
    parent_content: null,
    parent_author: null,
    ...differs,
  };
}

export interface Situation {
  readonly path?: string;
  readonly level?: number;
  readonly role?: string;
  readonly messages?: readonly object[];
  readonly room?: Reply;
  /** The level that may be used now, where it differs from the level reached. */
  readonly usable?: number;
  readonly insert?: (body: Record<string, unknown>) => Promise<Reply> | Reply;
}

export function open({
  path = "/chats/general",
  level = 1,
  role,
  messages = [],
  room,
  usable,
  insert,
}: Situation) {
  const stored = [...messages];
  return renderApp(path, {
    session: sessionOf(),
    rows: memberRows({ level, ...(role ? { role } : {}) }),
    reply: ({ call, body }) => {
      if (call.endsWith("/rpc/chat_room_overview")) return { body: overview };
      if (call.endsWith("/rpc/effective_level") && usable !== undefined) return { body: usable };
      if (call.endsWith("/rpc/room_page")) return { body: stored.toReversed() };
      if (call.endsWith("/rpc/room_changes_since")) return { body: [] };
      if (call.includes("participant_count")) return { status: 204 };
      if (call === "GET /rest/v1/chat_rooms") return room ?? { body: [overview[0]] };
      if (call === "POST /rest/v1/chat_messages") {
        const given = body as Record<string, unknown>;
        return (
          insert?.(given) ?? { status: 201, body: message(50, { ...given, author_first_name: "" }) }
        );
      }
      return undefined;
    },
  });
}
