import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { onePixelPng } from "../../tools/demo/join.ts";
import type { Account } from "../support/clients.ts";
import { member } from "./members.ts";

/** The texts say "less than 5MB" and "under 5 MB". */
const tooManyBytes = 5 * 1024 * 1024;

/** A picture of so many bytes; what follows its end is ignored. */
function pictureOf(bytes: number): Buffer {
  return Buffer.concat([onePixelPng, Buffer.alloc(bytes - onePixelPng.length)]);
}

let mentor: Account;
beforeAll(async () => {
  mentor = await member("mentor-access");
});

describe.each([
  ["learning-images", () => `${mentor.id}-1.png`],
  ["profile-pictures", () => `${mentor.id}-1.png`],
  ["message-pictures", () => `${mentor.id}-${randomUUID()}.png`],
  ["content-pictures", () => `${mentor.id}-1.png`],
])("a picture of %s", (bucket, name) => {
  const upload = async (bytes: number) =>
    await mentor.client.storage
      .from(bucket)
      .upload(name(), pictureOf(bytes), { contentType: "image/png" });

  test("of exactly 5 MB is refused", async () => {
    expect((await upload(tooManyBytes)).error).toMatchObject({ statusCode: "413" });
  });

  test("with a byte less is taken", async () => {
    expect((await upload(tooManyBytes - 1)).error).toBeNull();
  });
});
