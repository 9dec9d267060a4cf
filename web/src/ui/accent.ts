/** The four accents of the product's levels; setting one colours everything inside. */
export type Accent = "community" | "knowledge" | "business" | "wealth";

/** What a message is about; each has its own icon and word, never colour alone. */
export type Tone = "danger" | "warn" | "good" | "info";
