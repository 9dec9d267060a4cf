/** The main categories of articles and courses, in the order in which levels open them. */
export const categories = ["general", "business", "wealth"] as const;
export type Category = (typeof categories)[number];
