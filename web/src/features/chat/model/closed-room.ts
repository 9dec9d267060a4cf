import * as z from "zod/mini";

/** Why `/chats` is shown instead of a room. Travels in the state of the redirect. */
export type ClosedRoom =
  | { readonly kind: "level"; readonly name: string; readonly minLevel: number }
  /** The room or the level could not be loaded. */
  | { readonly kind: "failed" };

const state = z.object({
  closedRoom: z.union([
    z.object({ kind: z.literal("level"), name: z.string(), minLevel: z.number() }),
    z.object({ kind: z.literal("failed") }),
  ]),
});

/** Reads the state of the address; null when no room led here. */
export function parseClosedRoom(locationState: unknown): ClosedRoom | null {
  const parsed = state.safeParse(locationState);
  return parsed.success ? parsed.data.closedRoom : null;
}
