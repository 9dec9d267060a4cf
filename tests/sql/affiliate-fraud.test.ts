import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  ageVisit,
  balanceOf,
  bring,
  claimVisit,
  codeOf,
  payInvoice,
  recordVisit,
} from "./affiliate-world.ts";
import { test, type World } from "./world.ts";

/** An attempt: who would earn by it, the account that pays afterwards, and its card where that is the trick. */
interface Attempt {
  earner: string;
  payer: string;
  card?: string;
}
type Trick = (world: World, affiliate: string) => Promise<Attempt>;

/** A visit by the affiliate's link. */
async function visitTo(world: World, affiliate: string): Promise<string | null> {
  return await recordVisit(world, await codeOf(world, affiliate));
}

/** An account that a member brought, and that has become a member with a link of its own. */
async function recruit(world: World, by: string): Promise<string> {
  const account = await bring(world, by);
  await world.subscribe(account);
  await world.run("owner", "update public.profiles set onboarding_complete = true where id = $1", [
    account,
  ]);
  return account;
}

/** Claims a visit that must not count, and says who would earn if it did. */
async function refusedClaim(world: World, earner: string, payer: string, visit: string | null) {
  expect(await claimVisit(world, payer, visit)).toBe(false);
  return { earner, payer };
}

/** Each with accounts that are as young as one that a link brings. */
const tricks: readonly (readonly [what: string, Trick])[] = [
  [
    "a member by their own link",
    async (world) => {
      const self = await world.member();
      return await refusedClaim(world, self, self, await visitTo(world, self));
    },
  ],
  [
    "a member with a second account of the same mailbox",
    async (world) => {
      const self = await world.member();
      const alias = await world.newcomer();
      const address = `${self}+${alias}@example.test`;
      await world.run("owner", "update auth.users set email = $2 where id = $1", [alias, address]);
      return await refusedClaim(world, self, alias, await visitTo(world, self));
    },
  ],
  [
    "an account that pays with the affiliate's card",
    async (world) => {
      const self = await world.member();
      const payer = await bring(world, self);
      await payInvoice(world, self, { card_fingerprint: `card of ${self}` });
      return { earner: self, payer, card: `card of ${self}` };
    },
  ],
  [
    "two who bring each other",
    async (world) => {
      const first = await world.member();
      const second = await recruit(world, first);
      return await refusedClaim(world, second, first, await visitTo(world, second));
    },
  ],
  [
    "three in a ring",
    async (world) => {
      const first = await world.member();
      const third = await recruit(world, await recruit(world, first));
      return await refusedClaim(world, third, first, await visitTo(world, third));
    },
  ],
  [
    "a forged id",
    async (world, affiliate) =>
      await refusedClaim(world, affiliate, await world.newcomer(), randomUUID()),
  ],
  [
    "a visit that brought an account already",
    async (world, affiliate) => {
      const visit = await visitTo(world, affiliate);
      expect(await claimVisit(world, await world.newcomer(), visit)).toBe(true);
      return await refusedClaim(world, affiliate, await world.newcomer(), visit);
    },
  ],
  [
    "a visit of long ago",
    async (world, affiliate) => {
      const visit = await visitTo(world, affiliate);
      await ageVisit(world, visit);
      return await refusedClaim(world, affiliate, await world.newcomer(), visit);
    },
  ],
  [
    "a visitor who did not agree to be remembered, and records the visit for themselves",
    async (world, affiliate) => {
      const payer = await world.newcomer();
      const code = await codeOf(world, affiliate);
      await world.refused(payer, "42501", "select public.record_affiliate_visit($1, null, '')", [
        code,
      ]);
      return await refusedClaim(world, affiliate, payer, null);
    },
  ],
  [
    "an account that was there before the visit",
    async (world, affiliate) => {
      const payer = await world.newcomer();
      const older = "update auth.users set created_at = now() - interval '1 second' where id = $1";
      await world.run("owner", older, [payer]);
      return await refusedClaim(world, affiliate, payer, await visitTo(world, affiliate));
    },
  ],
];

describe("200 attempts to earn without bringing anybody earn nothing, although all of them pay", () => {
  for (const [what, trick] of tricks) {
    test(what, async ({ world }) => {
      const affiliate = await world.member();
      // From here on there is a link, and a balance.
      await codeOf(world, affiliate);
      for (let n = 0; n < 200 / tricks.length; n += 1) {
        const { earner, payer, card = payer } = await trick(world, affiliate);
        await payInvoice(world, payer, { card_fingerprint: card });
        expect(await balanceOf(world, earner), `attempt ${n}`).toEqual([0, 0, 0]);
      }
      // An honest account's payment earns, so the others would have.
      await payInvoice(world, await bring(world, affiliate));
      expect(await balanceOf(world, affiliate)).toEqual([1000, 0, 0]);
    });
  }
});
