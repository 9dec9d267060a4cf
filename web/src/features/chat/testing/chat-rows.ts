// Rooms and messages as the API answers them, for tests.
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
    author_avatar_url: null,
    liked_by_me: false,
    parent_content: null,
    parent_author: null,
    ...differs,
  };
}
