import * as z from "zod/mini";
import { categories } from "@/domain/categories.ts";

const closedPage = z.discriminatedUnion("kind", [
  /** A section above the member's level. */
  z.object({ kind: z.literal("level"), category: z.enum(categories) }),
  /** For another role: its home, the studio or the console. */
  z.object({ kind: z.literal("mentors-home") }),
  z.object({ kind: z.literal("studio") }),
  z.object({ kind: z.literal("console") }),
  /** What has to be done first. */
  z.object({ kind: z.literal("sign-in") }),
  z.object({ kind: z.literal("membership") }),
  z.object({ kind: z.literal("onboarding") }),
]);

/** Why another page is shown than the one that was asked for. Travels in the state of the redirect. */
export type ClosedPage = z.infer<typeof closedPage>;

const state = z.object({ closedPage });

/** Reads the state of an address; null when no closed page led there. */
export function parseClosedPage(locationState: unknown): ClosedPage | null {
  const parsed = state.safeParse(locationState);
  return parsed.success ? parsed.data.closedPage : null;
}
