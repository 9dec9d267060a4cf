import { describe, expect } from "vitest";
import { markedOffersSql } from "../../tools/render-ahead.ts";
import { sellingMentor } from "./selling-world.ts";
import { test } from "./world.ts";

describe("the mark of a course on sale", () => {
  test("changes with all that its page shows, and with nothing else of the course's members", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    const marks = new Set<unknown>();
    const read = async () => {
      const rows = await world.run("owner", markedOffersSql, [1000]);
      return rows.find((row) => row["slug"] === course.slug)?.["mark"];
    };
    marks.add(await read());
    const id = course.id;
    const changes: [string, string][] = [
      ["update public.courses set title = 'Letters, Again' where id = $1", id],
      ["update public.courses set price = 50 where id = $1", id],
      ["update private.course_offers set outcomes = array['Write'] where course_id = $1", id],
      [
        "update public.course_modules set content = 'Dear' where id = $1",
        course.modules[0] as string,
      ],
      [
        "update public.course_modules set title = 'Post It' where id = $1",
        course.modules[2] as string,
      ],
      ["delete from public.course_modules where id = $1", course.modules[1] as string],
      ["update public.profiles set last_name = 'Amadi' where id = $1", mentor],
    ];
    for (const [sql, value] of changes) {
      // Each statement here writes under a savepoint, whose number is as new as that of another transaction.
      await world.run("owner", sql, [value]);
      const before = marks.size;
      marks.add(await read());
      expect([sql, marks.size]).toEqual([sql, before + 1]);
    }
    const last = await read();
    await world.run("owner", "update public.profiles set last_name = 'Amadi' where id = $1", [
      await world.member(),
    ]);
    expect(await read()).toBe(last);
    for (const [sql, off] of [
      ["update public.courses set is_published = $2 where id = $1", false],
      ["update private.course_offers set is_on_sale = $2 where course_id = $1", false],
    ] as const) {
      await world.run("owner", sql, [id, off]);
      expect(await read()).toBeUndefined();
      await world.run("owner", sql, [id, !off]);
      expect(await read()).toBeDefined();
    }
  });
});
