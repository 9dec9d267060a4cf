import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { finishOnboarding, onePixelPng } from "../../tools/demo/join.ts";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { blocksOf, readDeployDocument, sectionOf } from "../support/deploy-document.ts";
import { hasExim, startEximServer } from "../support/exim-server.ts";
import { copyPrepared } from "../support/prepared-folders.ts";
import { startSharedSandbox, type SharedSandbox } from "../support/shared-sandbox.ts";
import {
  bucketKeyOf,
  hasSwift,
  startSwiftServer,
  type BucketKey,
} from "../support/swift-server.ts";
import { newEmail, testPassword } from "../support/test-account.ts";
import { timeLimitMs } from "../support/time-limits.ts";
import { billingAt } from "../support/typed-billing.ts";
import { TypedInstall } from "../support/typed-install.ts";

const pictures = "profile-pictures";
const bucket = "fourfold-files";

let folder = "";
let text = "";
let install: TypedInstall;
let provider: SharedSandbox;
let billing: BillingFixture;
/** Who pays later on, and who has paid. */
let payer: Payer;
let member: Payer;

/** “put the new one into `.env`, run `npm run doctor` and restart” */
async function turn(settings: Readonly<Record<string, string>>, doctorSays: RegExp): Promise<void> {
  await install.replace(settings);
  expect(await install.doctor()).toMatch(doctorSays);
  await install.restart();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rotation-other-servers-"));
  await copyPrepared("product", join(folder, "data"));
  text = await readDeployDocument();
  install = await TypedInstall.make(folder);
  await install.keepDataKey();
  provider = await startSharedSandbox(install.port);
  await install.replace(provider.env);
  await install.start();
  billing = await billingAt(install, provider);
  // Accounts are made before there is a mail server: with one, an address has to be confirmed first.
  payer = await billing.payer();
  member = await billing.payer();
  expect((await billing.pay(member, studentPlan)).status).toBe(200);
  await provider.sandbox.control.settled();
  const person = { firstName: "Ada", lastName: "Byron", occupation: "Engineer", bio: "" };
  await finishOnboarding(member.client, member.id, person);
}, timeLimitMs(180));
afterAll(async () => {
  await install.stop();
  await provider.sandbox.stop();
  await rm(folder, { recursive: true, force: true });
});

it("docs/deploy.md says how the mail server's password and the bucket's keys are replaced", () => {
  const section = sectionOf(text, "_The card provider's secret key._", "**Several hosts");
  expect(section).toMatch(/into `\.env`, run `npm run doctor` and restart/);
  expect(section).toMatch(
    /The mail server's password, the bucket's keys and\s+`METRICS_TOKEN` are replaced the same way/,
  );
});

it.runIf(hasExim)(
  "the mail server's password is turned: the product's e-mails wait for the right one, and a visitor asks again",
  { timeout: timeLimitMs(300) },
  async () => {
    const mail = await startEximServer();
    try {
      const arrivesAt = async (address: string) => {
        const options = { timeout: timeLimitMs(150), interval: 500 };
        await expect.poll(async () => await mail.countTo(address), options).toBeGreaterThan(0);
      };
      const [old, next] = ["the-old-one", "the-next-one"];
      await mail.setPassword(old);
      await turn(
        { SMTP_URL: mail.urlWith(old), MAIL_FROM: "hello@example.test" },
        /takes the login/,
      );
      const visitor = { email: newEmail(), password: testPassword };
      expect((await payer.client.auth.signUp(visitor)).error).toBeNull();
      await arrivesAt(visitor.email);

      // The mail server's is turned first, and the product comes back with the old one.
      await mail.setPassword(next);
      expect(await install.doctor()).toMatch(/WARNING.*takes no mail from here.*535/);
      await install.restart();
      expect((await billing.pay(payer, studentPlan)).status).toBe(200);
      await provider.sandbox.control.settled();
      // The answer does not tell whether the address was known, so it does not wait for the mail server.
      const late = { email: newEmail(), password: testPassword };
      expect((await payer.client.auth.signUp(late)).error).toBeNull();
      await turn({ SMTP_URL: mail.urlWith(next) }, /takes the login/);
      await arrivesAt(payer.email);
      expect(await mail.countTo(late.email)).toBe(0);
      const again = async () =>
        (await payer.client.auth.resend({ type: "signup", email: late.email })).error?.code;
      await expect.poll(again, { timeout: timeLimitMs(90), interval: 2000 }).toBeUndefined();
      await arrivesAt(late.email);
    } finally {
      await mail.remove();
    }
  },
);

it.runIf(hasSwift)(
  "the bucket's keys are turned: files are there before, meanwhile and after",
  { timeout: timeLimitMs(240) },
  async () => {
    const swift = await startSwiftServer();
    try {
      const [old, next, others] = ["old", "next", "others"].map(bucketKeyOf) as [
        BucketKey,
        BucketKey,
        BucketKey,
      ];
      await swift.setKeys(old);
      const operator = new S3Client({
        endpoint: swift.endpoint,
        region: "us-east-1",
        forcePathStyle: true,
        credentials: {
          accessKeyId: old.S3_ACCESS_KEY_ID,
          secretAccessKey: old.S3_SECRET_ACCESS_KEY,
        },
      });
      await operator.send(new CreateBucketCommand({ Bucket: bucket }));
      operator.destroy();

      const { id, client } = member;
      const files = { disk: 1, old: 2, meanwhile: 3, next: 4, after: 5, refused: 6 };
      const upload = async (file: number) =>
        await client.storage
          .from(pictures)
          .upload(`${id}-${file}.png`, new Blob([onePixelPng], { type: "image/png" }));
      const sizeOf = async (file: number) =>
        (await client.storage.from(pictures).download(`${id}-${file}.png`)).data?.size ?? 0;
      expect((await upload(files.disk)).error).toBeNull();

      await install.replace({
        S3_ENDPOINT: swift.endpoint,
        S3_REGION: "us-east-1",
        S3_BUCKET: bucket,
        ...old,
      });
      const moving = blocksOf(
        sectionOf(text, "A new install starts with the bucket", "### In containers"),
        "sh",
      );
      await install.typeAll(moving[0] ?? "");
      expect(await sizeOf(files.disk)).toBeGreaterThan(0);
      expect((await upload(files.old)).error).toBeNull();

      await swift.setKeys(old, next);
      expect((await upload(files.meanwhile)).error).toBeNull();
      await turn({ ...next }, /takes files, gives them back/);
      expect((await upload(files.next)).error).toBeNull();
      await swift.setKeys(next);
      expect((await upload(files.after)).error).toBeNull();
      for (const file of [files.disk, files.old, files.meanwhile, files.next, files.after])
        expect(await sizeOf(file)).toBeGreaterThan(0);

      // One that was taken away unnoticed: refused with a code, nothing half stored, and back by itself.
      await swift.setKeys(others);
      const refused = await upload(files.refused);
      expect(refused.error).toMatchObject({ code: "S3Error", status: 503 });
      expect(await install.doctor()).toMatch(/files +PROBLEM.*signature/);
      await swift.setKeys(next);
      expect(await sizeOf(files.refused)).toBe(0);
      expect((await upload(files.refused)).error).toBeNull();
    } finally {
      await swift.remove();
    }
  },
);
