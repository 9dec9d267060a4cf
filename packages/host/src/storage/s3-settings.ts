// The variables of a bucket that keeps stored files in place of the local disk.

import { z } from "zod";

export const s3Variables = {
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().min(1).optional(),
  S3_BUCKET: z.string().min(3).max(63).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_FORCE_PATH_STYLE: z
    .enum(["0", "1", "false", "true"])
    .transform((value) => value === "1" || value === "true")
    .optional(),
  S3_DOWNLOAD_LINKS: z.enum(["0", "1"]).optional(),
};

type S3Values = z.output<z.ZodObject<typeof s3Variables>>;

/** Where stored files are kept. */
export interface S3Settings {
  /** Undefined for Amazon's own. */
  endpoint: string | undefined;
  region: string;
  bucket: string;
  /** Undefined where the machine has a role, as on Amazon's own. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** The bucket in the path in place of the host name, as most servers but Amazon's want it. */
  forcePathStyle: boolean;
  /** Whether large private files are downloaded from the bucket itself, by a link that lasts a minute, once the host has decided. */
  downloadLinks: boolean;
}

/** The origin that links to the bucket have; undefined where there are none. For the content security policy of pages. */
export function downloadOrigin(settings: S3Settings | undefined): string | undefined {
  if (settings?.downloadLinks !== true) return undefined;
  const { bucket, endpoint, region, forcePathStyle } = settings;
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!forcePathStyle) url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}

/** The bucket that the environment names; undefined for the disk. Adds what is missing to `issues`. */
export function readS3Settings(values: S3Values, issues: string[]): S3Settings | undefined {
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = values;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  const names = ["S3_ENDPOINT", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
  if (bucket === undefined && values.S3_DOWNLOAD_LINKS === "1")
    issues.push("S3_BUCKET: must be set with S3_DOWNLOAD_LINKS");
  if (bucket === undefined) {
    const set = names.find((name) => values[name] !== undefined);
    if (set !== undefined) issues.push(`S3_BUCKET: must be set with ${set}`);
    return undefined;
  }
  if (endpoint === undefined && region === undefined) {
    issues.push("S3_REGION: must be set without S3_ENDPOINT");
  }
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    issues.push("S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: must be set together");
  }
  if (endpoint !== undefined && accessKeyId === undefined) {
    issues.push("S3_ACCESS_KEY_ID: must be set with S3_ENDPOINT");
  }
  return {
    endpoint,
    region: region ?? "us-east-1",
    bucket,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
    forcePathStyle: values.S3_FORCE_PATH_STYLE ?? endpoint !== undefined,
    downloadLinks: values.S3_DOWNLOAD_LINKS === "1",
  };
}
