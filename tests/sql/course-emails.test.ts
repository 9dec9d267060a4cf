import { describe, expect } from "vitest";
import { bring } from "./affiliate-world.ts";
import { claim, makeDue } from "./email-world.ts";
import { payCourse, sellingMentor } from "./selling-world.ts";
import { test, type World } from "./world.ts";

const emails = `select template, data ->> 'course' as course, data ->> 'plan' as plan
  from private.email_outbox where user_id = $1 order by created_at, template`;

/** A buyer without a membership, with the readings of the payment. */
async function buyer(world: World) {
  const { course } = await sellingMentor(world);
  const id = await bring(world, await world.member());
  await world.run("owner", "update auth.users set email_confirmed_at = now() where id = $1", [id]);
  const now = Math.floor(Date.now() / 1000);
  const payment = await payCourse(world, id, course);
  /** A reading with one more refund or state of a dispute. */
  const read = async (record: object, changes: object) => {
    const records = [{ reason: null, created: now, ...record }];
    await payment.again({ ...changes, records });
  };
  const states: Record<string, string> = { open: "needs_response", won: "won", lost: "lost" };
  return {
    id,
    refund: async (amount: number) => {
      const record = { kind: "refund", id: `re_${amount}_${id}`, status: "succeeded", amount };
      await read(record, { amount_refunded: amount, is_refunded: amount === 4000 });
    },
    dispute: async (dispute: string) => {
      const record = { kind: "dispute", id: `du_${id}`, status: states[dispute], amount: 4000 };
      await read(record, { dispute });
    },
    /** What the sender would send now, of all that waits. */
    sent: async () => {
      const names: string[] = [];
      for (let n = 0; n < 5; n += 1) {
        await makeDue(world, id);
        const next = await claim(world, id);
        if (next === undefined) break;
        names.push(String(next["template"]));
        await world.run("owner", "delete from private.email_outbox where id = $1", [next["id"]]);
      }
      return names.toSorted();
    },
  };
}

const about = (template: string) => ({
  template,
  course: "Letters That Get Answers",
  plan: null,
});

describe("the buyer of a course", () => {
  test("is told of the payment, a refund and a dispute by the name of the course", async ({
    world,
  }) => {
    const ada = await buyer(world);
    expect(await world.run("owner", emails, [ada.id])).toEqual([about("course_receipt")]);
    await ada.refund(1000);
    await ada.dispute("open");
    expect(await ada.sent()).toEqual(["course_disputed", "course_receipt", "course_refunded"]);
    await ada.dispute("won");
    expect(await world.run("owner", emails, [ada.id])).toEqual([about("course_dispute_won")]);
    expect(await ada.sent()).toEqual(["course_dispute_won"]);
  });

  test("is not told of a dispute that is decided, nor that a closed course is open", async ({
    world,
  }) => {
    const ada = await buyer(world);
    await ada.dispute("open");
    await ada.dispute("won");
    await ada.refund(4000);
    expect(await ada.sent()).toEqual(["course_receipt", "course_refunded"]);
  });
});
