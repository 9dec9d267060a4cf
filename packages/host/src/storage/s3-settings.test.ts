import { expect, it } from "vitest";
import { readHostConfig } from "../config.ts";
import { downloadOrigin } from "./s3-settings.ts";

const keys = { S3_BUCKET: "files", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };
const originOf = (env: Record<string, string>) => downloadOrigin(readHostConfig(env).s3);

it.each([
  [{ S3_ENDPOINT: "https://s3.example.org", S3_DOWNLOAD_LINKS: "1" }, "https://s3.example.org"],
  [
    { S3_ENDPOINT: "https://s3.example.org", S3_FORCE_PATH_STYLE: "0", S3_DOWNLOAD_LINKS: "1" },
    "https://files.s3.example.org",
  ],
  [{ S3_REGION: "eu-west-2", S3_DOWNLOAD_LINKS: "1" }, "https://files.s3.eu-west-2.amazonaws.com"],
  [{ S3_REGION: "eu-west-2" }, undefined],
])("pages may load files from the bucket with %o", (env, origin) => {
  expect(originOf({ ...keys, ...env })).toBe(origin);
});

it("asks for the bucket of links", () => {
  expect(() => readHostConfig({ S3_DOWNLOAD_LINKS: "1" })).toThrow(
    "S3_BUCKET: must be set with S3_DOWNLOAD_LINKS",
  );
});
