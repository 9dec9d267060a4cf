/** Where messages are read and written: a room, or a conversation with one member. */
export interface MessagePlace {
  /** Of the room, or of the other member. */
  readonly id: string;
  readonly name: string;
  /** Set when the place is a conversation with this member. */
  readonly kind?: "member";
}
