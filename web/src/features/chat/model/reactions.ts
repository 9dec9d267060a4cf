/** The reactions beside the like, in the order they are shown. The database knows the same names. */
export const reactions = ["applause", "celebrate", "insight", "laugh", "thanks"] as const;
export type Reaction = (typeof reactions)[number];

/** How many members gave each reaction; those nobody gave are left out. */
export type ReactionCounts = Readonly<Partial<Record<Reaction, number>>>;

export function toReaction(text: string): Reaction | null {
  return reactions.find((each) => each === text) ?? null;
}

/** Reads the counts the database wrote; names it does not know are left out. */
export function toReactionCounts(counts: Readonly<Record<string, number>>): ReactionCounts {
  return Object.fromEntries(
    reactions.flatMap((each) => {
      const count = counts[each] ?? 0;
      return count > 0 ? [[each, count] as const] : [];
    }),
  );
}

/** What a message holds of reactions. */
interface Reacted {
  readonly reactionCounts: ReactionCounts;
  /** Those of the signed-in member. */
  readonly myReactions: readonly Reaction[];
}

/** Gives or takes back one's own reaction; unchanged when it is so already. */
export function withReaction<Message extends Reacted>(
  message: Message,
  reaction: Reaction,
  given: boolean,
): Message {
  if (message.myReactions.includes(reaction) === given) return message;
  const count = Math.max(0, (message.reactionCounts[reaction] ?? 0) + (given ? 1 : -1));
  return {
    ...message,
    reactionCounts: toReactionCounts({ ...message.reactionCounts, [reaction]: count }),
    myReactions: given
      ? [...message.myReactions, reaction]
      : message.myReactions.filter((each) => each !== reaction),
  };
}
