// What is used of a package without types.
declare module "s3rver" {
  interface Options {
    address?: string;
    port?: number;
    silent?: boolean;
    directory?: string;
    allowMismatchedSignatures?: boolean;
    configureBuckets?: readonly { name: string; configs: readonly (string | Buffer)[] }[];
  }
  export default class S3rver {
    constructor(options: Options);
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
