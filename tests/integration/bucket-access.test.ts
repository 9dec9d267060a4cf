import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readHostConfig } from "basehost";
import { openBucket } from "basehost/files";
import { startS3Server, type S3Server } from "../support/s3-server.ts";
import { checkBucket } from "../../tools/bucket-access.ts";

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(async () => await server.remove());

async function check(changes: Partial<S3Server["env"]> = {}): Promise<string> {
  const { s3 } = readHostConfig({ ...server.env, ...changes });
  if (s3 === undefined) throw new Error("there is no bucket");
  return await checkBucket(await openBucket(s3, pino({ level: "silent" })));
}

it("puts, reads, lists and deletes a file in the bucket", async () => {
  expect(await check()).toMatch(/^The bucket files takes files, gives them back/);
});

it("says what the server said of a wrong key or bucket", async () => {
  await expect(check({ S3_ACCESS_KEY_ID: "other" })).rejects.toThrow(
    /^The bucket files: .*access key/i,
  );
  await expect(check({ S3_BUCKET: "others" })).rejects.toThrow(/^The bucket others: .*bucket/i);
});
