/** What a line says of one notification, as far as its kind needs it. */
export interface NotificationFacts {
  detail?: string | null | undefined;
  /** Who did it; empty for a member without a name. */
  actor?: string | null | undefined;
  /** How many other members did the same. */
  others: number;
  room?: string | null | undefined;
  chat_room_id?: string | null | undefined;
  message_id?: string | null | undefined;
  submission_id?: string | null | undefined;
  /** Of a mention in a comment. */
  comment_id?: string | null | undefined;
  /** The author of a direct message. */
  member_id?: string | null | undefined;
  /** Of a pact that is due: whether its day is over. */
  is_overdue?: boolean | null | undefined;
  /** Of a new level: the names of up to two rooms it opened, and how many there are. */
  rooms?: readonly string[] | null | undefined;
  room_count?: number | null | undefined;
  achievement?: string | null | undefined;
  certificate_id?: string | null | undefined;
  /** Of a refund; in minor units of the currency. */
  amount_pence?: number | null | undefined;
  currency?: string | null | undefined;
  /** What was reported, and whether it stays. */
  what?: string | null | undefined;
  is_kept?: boolean | null | undefined;
  /** What was taken away: its title or that of what it stood under, and when it was written. */
  title?: string | null | undefined;
  written_at?: string | null | undefined;
  /** Its first words, of a message in a room or a comment. */
  words?: string | null | undefined;
  /** What a payment ended the membership by: `refunded` or `dispute_lost`. Of a report its category. */
  why?: string | null | undefined;
  /** Of the review of a draft; its title may be empty. */
  draft_id?: string | null | undefined;
  draft?: string | null | undefined;
  draft_kind?: string | null | undefined;
  /** Of what has to be done by a time. */
  deadline?: string | null | undefined;
  /** Of a question that was asked or answered. */
  question_id?: string | null | undefined;
  /** Where a question stands. */
  place?:
    | {
        category: string;
        shelf: string;
        subcategory: string;
        item_id: string;
        module: string | null;
        title: string;
      }
    | null
    | undefined;
}
