import { expect } from "vitest";
import { claim, enqueue, recipient } from "./email-world.ts";
import { test } from "./world.ts";

const switchOff = "select public.switch_off_emails($1, $2)";
const choices = `select kind, email from public.notification_preferences where user_id = $1 order by kind`;
const digest = "select frequency from public.digest_choices where user_id = $1";

test("the sender learns whose e-mail it is and of what kind", async ({ world }) => {
  const ada = await recipient(world);
  await enqueue(world, ada, "receipt");
  expect(await claim(world, ada)).toMatchObject({ user_id: ada, kind: "money" });
});

test("one kind is switched off, for one account, also again", async ({ world }) => {
  const [ada, ben] = [await recipient(world), await recipient(world)];
  await world.run("service_role", switchOff, [ada, "reminders"]);
  await world.run("service_role", switchOff, [ada, "reminders"]);
  expect(await world.run("owner", choices, [ada])).toEqual([{ kind: "reminders", email: false }]);
  expect(await world.run("owner", digest, [ada])).toEqual([]);
  await world.run("service_role", switchOff, [ada, "digest"]);
  expect(await world.run("owner", digest, [ada])).toEqual([{ frequency: "off" }]);
  for (const sql of [choices, digest]) expect(await world.run("owner", sql, [ben])).toEqual([]);
});

test("receipts, alarms and unknown kinds are never switched off, nor an account that is gone", async ({
  world,
}) => {
  const ada = await recipient(world);
  for (const kind of ["money", "identity", "security", "account", "nothing", null]) {
    await world.run("service_role", switchOff, [ada, kind]);
  }
  await world.run("service_role", switchOff, [crypto.randomUUID(), "tips"]);
  expect(await world.run("owner", choices, [ada])).toEqual([]);
});

test("is the server's to call", async ({ world }) => {
  const ada = await recipient(world);
  for (const actor of [ada, "anon", await world.admin()]) {
    await world.refused(actor, "42501", switchOff, [ada, "tips"]);
  }
});
