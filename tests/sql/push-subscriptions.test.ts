import { describe, expect } from "vitest";
import {
  p256dh,
  pushAddress,
  pushEndpoints,
  pushSecret,
  savePushSql,
  subscribeBrowser,
} from "./push-world.ts";
import { test } from "./world.ts";

describe("a browser that is turned on", () => {
  test("is its member's to see and to turn off", async ({ world }) => {
    const [ada, mallory] = [await world.member(), await world.member()];
    const endpoint = await subscribeBrowser(world, ada);
    const read = "select endpoint from public.push_subscriptions";
    expect(await world.run(ada, read)).toEqual([{ endpoint }]);
    for (const actor of [mallory, await world.admin()]) {
      expect(await world.run(actor, read)).toEqual([]);
      expect(await world.count(actor, "delete from public.push_subscriptions")).toBe(0);
    }
    for (const sql of [
      "select auth_key from public.push_subscriptions",
      "select p256dh from public.push_subscriptions",
      "select session_id from public.push_subscriptions",
      "update public.push_subscriptions set user_id = user_id",
      `insert into public.push_subscriptions (user_id, session_id, endpoint, p256dh, auth_key)
       values (auth.uid(), auth.uid(), 'https://fcm.googleapis.com/x', '', '')`,
    ]) {
      await world.refused(ada, "42501", sql);
    }
    await world.refused("anon", "42501", read);
    await world.refused("anon", "42501", savePushSql, [pushAddress(), p256dh, pushSecret]);
    expect(await world.count(ada, "delete from public.push_subscriptions")).toBe(1);
    expect(await pushEndpoints(world, ada)).toEqual([]);
  });

  test("ends with the session it was turned on in", async ({ world }) => {
    const ada = await world.member();
    await subscribeBrowser(world, ada);
    await world.run("owner", "delete from auth.sessions where id = $1", [ada]);
    expect(await pushEndpoints(world, ada)).toEqual([]);
  });

  test("is one of ten at most: the oldest is dropped", async ({ world }) => {
    const ada = await world.member();
    const all = [];
    for (let left = 11; left > 0; left -= 1) all.push(await subscribeBrowser(world, ada));
    expect(await pushEndpoints(world, ada)).toEqual(all.slice(1));
  });

  test("can come again with new keys, and is counted once", async ({ world }) => {
    const ada = await world.member();
    const endpoint = await subscribeBrowser(world, ada);
    await subscribeBrowser(world, ada, endpoint, "t".repeat(22));
    expect(await pushEndpoints(world, ada)).toEqual([endpoint]);
  });

  test("belongs to who shows its secret, and to nobody who only knows its address", async ({
    world,
  }) => {
    const [ada, tom, mallory] = [await world.member(), await world.member(), await world.member()];
    const endpoint = await subscribeBrowser(world, ada);
    await world.refused(mallory, "FF790", savePushSql, [endpoint, p256dh, "m".repeat(22)]);
    expect(await pushEndpoints(world, ada)).toEqual([endpoint]);
    await subscribeBrowser(world, tom, endpoint);
    expect(await pushEndpoints(world, ada)).toEqual([]);
    expect(await pushEndpoints(world, tom)).toEqual([endpoint]);
  });

  test.for([
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "web.push.apple.com",
    "wns2-par02p.notify.windows.com",
  ])("may be at %s", async (host, { world }) => {
    const ada = await world.member();
    const endpoint = await subscribeBrowser(world, ada, pushAddress(host));
    expect(await pushEndpoints(world, ada)).toEqual([endpoint]);
  });

  test.for([
    "http://fcm.googleapis.com/x",
    "https://fcm.googleapis.com:8443/x",
    "https://fcm.googleapis.com@10.0.0.1/x",
    "https://10.0.0.1/fcm.googleapis.com/x",
    "https://localhost/x",
    "https://evil.test/https://fcm.googleapis.com/x",
    "https://evilfcm.googleapis.com/x",
    "https://fcm.googleapis.com.evil.test/x",
    "https://fcm.googleapis.com",
    "https://fcm.googleapis.com/a b",
    "https://fcm.googleapis.com/a\r\nHost: evil.test",
    "fcm.googleapis.com/x",
    "http://127.0.0.1:3000/x",
    "file:///etc/passwd",
    "",
    null,
    `https://fcm.googleapis.com/${"x".repeat(1000)}`,
  ])("cannot be at %s", async (endpoint, { world }) => {
    const ada = await world.member();
    await world.refused(ada, "FF790", savePushSql, [endpoint, p256dh, pushSecret]);
    expect(await pushEndpoints(world, ada)).toEqual([]);
  });

  test("needs the keys that browsers give out", async ({ world }) => {
    const ada = await world.member();
    for (const [key, auth] of [
      [p256dh.slice(1), pushSecret],
      [p256dh, pushSecret.slice(1)],
      [`${p256dh.slice(1)}=`, pushSecret],
      [p256dh, `${pushSecret.slice(1)}+`],
      [null, pushSecret],
      [p256dh, null],
    ]) {
      await world.refused(ada, "FF790", savePushSql, [pushAddress(), key, auth]);
    }
  });

  test("is for members, thirty times an hour", async ({ world }) => {
    await world.refused(await world.newcomer(), "FF700", savePushSql, [
      pushAddress(),
      p256dh,
      pushSecret,
    ]);
    const limit = "update private.rate_limits set max_count = 1 where action = 'push_subscription'";
    await world.run("owner", limit);
    const ada = await world.member();
    await subscribeBrowser(world, ada);
    await world.refused(ada, "FF300", savePushSql, [pushAddress(), p256dh, pushSecret]);
  });
});

describe("the services that are sent to", () => {
  test("are names, or for tests an origin of this machine", async ({ world }) => {
    const add = "insert into private.push_services (service) values ($1)";
    for (const service of [
      "10.0.0.1",
      "localhost",
      "http://10.0.0.1:80",
      "https://a.test",
      "http://127.0.0.1",
      "*.test",
    ]) {
      await world.refused("owner", "23514", add, [service]);
    }
    await world.run("owner", add, ["http://127.0.0.1:4567"]);
    const ada = await world.member();
    await subscribeBrowser(world, ada, "http://127.0.0.1:4567/x");
    await world.refused(ada, "FF790", savePushSql, [
      "http://127.0.0.1:45678/x",
      p256dh,
      pushSecret,
    ]);
  });
});
