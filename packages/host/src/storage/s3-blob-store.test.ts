import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openS3BlobStore } from "./s3-blob-store.ts";

test("a list of files to delete has its MD5, without which older servers refuse it", async () => {
  const deleted: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const md5 = createHash("md5").update(body).digest("base64");
      const isKnown = request.headers["content-md5"] === md5;
      if (isKnown) deleted.push(body);
      response.writeHead(isKnown ? 200 : 400).end(isKnown ? "<DeleteResult/>" : "<Error/>");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const blobs = openS3BlobStore(
    {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: "us-east-1",
      bucket: "files",
      credentials: { accessKeyId: "id", secretAccessKey: "secret" },
      forcePathStyle: true,
      downloadLinks: false,
    },
    pino({ level: "silent" }),
  );
  try {
    const version = randomUUID();
    await blobs.remove([version]);
    expect(deleted).toEqual([expect.stringContaining(version)]);
  } finally {
    blobs.close();
    server.close();
  }
});
