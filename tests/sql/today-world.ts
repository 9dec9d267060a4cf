import type { Row, World } from "./world.ts";

/** What `my_today` answers. */
interface Today {
  readonly level: number;
  readonly next_step: Row | null;
  readonly waiting: {
    readonly count: number;
    readonly questions: number;
    readonly items: readonly Row[];
  };
  readonly continue: { readonly lesson: Row | null; readonly article: Row | null };
  readonly pact: Row | null;
  readonly rooms: readonly Row[];
}

export async function today(world: World, member: string): Promise<Today> {
  return (await world.one(member, "select public.my_today() as today"))["today"] as Today;
}
