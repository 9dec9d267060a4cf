/** Where messages are read and written: a room, or a conversation with one member. */
export interface MessagePlace {
  /** Of the room, or of the other member. */
  readonly id: string;
  readonly name: string;
  /** Set when the place is a conversation with this member. */
  readonly kind?: "member";
}

/** What the message list and the message field say about their place. */
export function placeTexts({ name, kind }: MessagePlace) {
  return kind === "member"
    ? {
        list: `Messages with ${name}`,
        field: `Message to ${name}`,
        placeholder: `Message ${name}`,
        start: `This is the start of your conversation with ${name}.`,
        empty: `No messages with ${name} yet.`,
        emptyHint: "Only the two of you can read what you write here.",
      }
    : {
        list: `Messages in ${name}`,
        field: `Message in ${name}`,
        placeholder: `Message ${name}`,
        start: `This is the start of ${name}.`,
        empty: `No messages in ${name} yet.`,
        emptyHint: "Say hello to start the conversation.",
      };
}
