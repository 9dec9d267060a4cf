import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { finishOnboarding, onePixelPng } from "../../tools/demo/join.ts";
import { administrator } from "../security/members.ts";
import { BillingFixture, studentPlan } from "../support/billing.ts";
import { anonymous, newEmail, ownerPool, signUp, testPassword } from "../support/clients.ts";
import { enrollSecondFactor } from "../support/second-factor.ts";
import { freePort, projectRoot, spawnScript } from "../support/spawn-product.ts";

const host = inject("host");
const sandbox = inject("sandbox");
const owner = ownerPool();
let billing: BillingFixture;
let folder = "";
beforeAll(async () => {
  billing = new BillingFixture(host, sandbox);
  folder = await mkdtemp(join(tmpdir(), "owner-commands-"));
});
afterAll(async () => {
  await billing.close();
  await owner.end();
  await rm(folder, { recursive: true, force: true });
});

/** As an operator types them, over the running product. */
async function run(...args: string[]): Promise<{ code: unknown; output: string }> {
  return await runWith({}, ...args);
}

async function runWith(changes: Record<string, string>, ...args: string[]) {
  const env = {
    DATA_DIR: host.dataDir,
    SUPABASE_JWT_SECRET: host.jwtSecret,
    PORT: new URL(host.url).port,
    STRIPE_SECRET_KEY: sandbox.secretKey,
    STRIPE_PUBLISHABLE_KEY: sandbox.publishableKey,
    STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
    STRIPE_API_BASE: sandbox.apiBase,
    ...changes,
  };
  const spawned = spawnScript([join(projectRoot, "tools", "admin.ts"), ...args], env, projectRoot);
  return { code: await spawned.ended, output: spawned.output().trim() };
}

const actionsOf = async (id: string) => {
  const { rows } = await owner.query<{ action: string }>(
    "select action from private.audit_log where subject = $1 order by id",
    [id],
  );
  return rows.map(({ action }) => action);
};

it("every command of docs/deploy.md is one, as it is typed there", async () => {
  const text = await readFile(join(projectRoot, "docs", "deploy.md"), "utf8");
  const typed = [...text.matchAll(/npm run admin -- (.+)$/gm)].map(([, line = ""]) =>
    line
      .replace(/\S+@\S+/, newEmail())
      .replace(/\/\S+/, join(folder, "typed"))
      .split(" "),
  );
  expect(typed.map(([command]) => command)).toEqual([
    "create",
    "create",
    "remove",
    "delete",
    "export",
    "sign-out",
    "create",
  ]);
  // It would end the sessions of every other test; rotation-document.test.ts types it over a product of its own.
  for (const args of typed.filter(([command]) => command !== "sign-out")) {
    const { output } = await run(...args);
    expect(output, args.join(" ")).toMatch(/One-time password|There is no account|rows of/);
  }
  expect((await run("remove")).output).toMatch(/^Usage: npm run admin -- create EMAIL \| remove/);
  for (const args of [
    ["remove", "a@example.test", "--yes"],
    ["sign-out", "all"],
    ["sign-out", "a@example.test", "--yes"],
  ]) {
    expect((await run(...args)).output, args.join(" ")).toMatch(/^Usage: /);
  }
});

describe("npm run admin -- remove EMAIL", () => {
  it("takes the powers away at once and ends the sessions; the account stays a member's", async () => {
    const admin = await administrator();
    expect((await admin.client.rpc("admin_overview")).error).toBeNull();
    const { code, output } = await run("remove", admin.email);
    expect(output).toMatch(
      /is no administrator any more.*\n(?:Administrators left: \d|There is no)/,
    );
    expect(code).toBe(0);
    expect((await admin.client.rpc("admin_overview")).error).not.toBeNull();
    expect((await admin.client.auth.getUser()).error).not.toBeNull();
    expect(await actionsOf(admin.id)).toContain("account.removed_admin");
    const { rows } = await owner.query("select role from public.profiles where id = $1", [
      admin.id,
    ]);
    expect(rows).toEqual([{ role: "student" }]);
    const again = anonymous();
    const { error } = await again.auth.signInWithPassword({
      email: admin.email,
      password: testPassword,
    });
    expect(error).toBeNull();
    expect((await again.rpc("admin_overview")).error).not.toBeNull();
  });

  it("takes back an appointment nobody has accepted", async () => {
    const email = newEmail();
    const [, password = ""] =
      /One-time password: (\S+)/.exec((await run("create", email)).output) ?? [];
    expect((await run("remove", email)).code).toBe(0);
    const client = anonymous();
    expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
    const change = { password: "Quarry-Lantern-77?", current_password: password };
    expect((await client.auth.updateUser(change)).error).toBeNull();
    await enrollSecondFactor(client);
    expect((await client.rpc("admin_overview")).error).not.toBeNull();
  });

  it("leaves a member alone, and says when there is nobody", async () => {
    const { id, email, client } = await signUp();
    expect(await run("remove", email)).toEqual({
      code: 1,
      output: `${email} is not an administrator.`,
    });
    expect((await client.auth.getUser()).error).toBeNull();
    expect(await actionsOf(id)).not.toContain("account.removed_admin");
    expect((await run("remove", "nobody@example.test")).output).toBe(
      "There is no account nobody@example.test.",
    );
  });
});

it("the only administrator who has lost the phone comes back by npm run admin -- create EMAIL", async () => {
  const admin = await administrator();
  const [, password = ""] =
    /One-time password: (\S+)/.exec((await run("create", admin.email)).output) ?? [];
  const client = anonymous();
  await client.auth.signInWithPassword({ email: admin.email, password });
  const change = { password: "Quarry-Lantern-77?", current_password: password };
  expect((await client.auth.updateUser(change)).error).toBeNull();
  expect((await client.rpc("admin_overview")).error).not.toBeNull();
  await enrollSecondFactor(client, "The new phone");
  expect((await client.rpc("admin_overview")).error).toBeNull();
});

describe("npm run admin -- delete EMAIL --yes", () => {
  it("ends the membership and deletes account, rows and files, after it was asked twice", async () => {
    const ada = await billing.payer();
    await billing.pay(ada, studentPlan);
    const person = { firstName: "Ada", lastName: "Byron", occupation: "Engineer", bio: "" };
    await finishOnboarding(ada.client, ada.id, person);
    const picture = await ada.client.storage
      .from("profile-pictures")
      .upload(`${ada.id}-1.png`, onePixelPng, { contentType: "image/png" });
    expect(picture.error).toBeNull();

    const asked = await run("delete", ada.email);
    expect(asked).toEqual({ code: 1, output: expect.stringContaining("Add --yes to do it.") });
    expect((await ada.client.auth.getUser()).error).toBeNull();

    const done = await run("delete", ada.email, "--yes");
    expect(done).toEqual({ code: 0, output: expect.stringContaining(`${ada.email} is deleted`) });
    expect((await billing.atProvider(ada)).live).toEqual([]);
    const { rows } = await owner.query(
      `select (select count(*)::int from auth.users where id = $1) as accounts,
         (select count(*)::int from public.profiles where id = $1) as profiles,
         (select count(*)::int from storage.objects where name like $1::text || '%') as files`,
      [ada.id],
    );
    expect(rows).toEqual([{ accounts: 0, profiles: 0, files: 0 }]);
    expect(await actionsOf(ada.id)).toContain("profile.deleted");
  });

  it("says in a sentence that the card provider or the product is away, and deletes nothing", async () => {
    const ada = await billing.payer();
    await billing.pay(ada, studentPlan);
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const away = await runWith({ STRIPE_API_BASE: nowhere }, "delete", ada.email, "--yes");
    expect(away.output).toMatch(/is not deleted yet, because the card provider said: /);
    const stopped = { PORT: new URL(nowhere).port };
    const off = await runWith(stopped, "delete", ada.email, "--yes");
    expect(off.output).toContain(
      `The product has to run for this, and ${nowhere} does not answer.`,
    );
    expect([away.code, off.code]).toEqual([1, 1]);
    expect((await ada.client.auth.getUser()).error).toBeNull();
  });

  it("makes a promised refund first, and goes without it where the operator has paid it in another way", async () => {
    const [ada, bob] = [await billing.payer(), await billing.payer()];
    for (const member of [ada, bob]) await billing.pay(member, studentPlan);
    const refusal = { path: "/v1/refunds", method: "POST", when: "before", action: "error" };
    await billing.control("/faults", { ...refusal, shouldRetry: false, times: 20 });
    for (const { client } of [ada, bob]) await billing.call(client, "stripe-withdraw", {});
    const owed = await run("delete", ada.email, "--yes");
    expect(owed).toEqual({ code: 1, output: expect.stringContaining("was promised a refund") });
    expect(await run("delete", bob.email, "--yes", "--owed-is-paid")).toMatchObject({ code: 0 });
    await billing.clearFailures();
    const customer = await billing.customerId(ada);
    expect(await run("delete", ada.email, "--yes")).toMatchObject({ code: 0 });
    const { data } = await billing.stripe.charges.list({ customer });
    expect(data.map((charge) => charge.amount_refunded)).toEqual([5000]);
  });

  it("refuses an administrator, who is removed first", async () => {
    const admin = await administrator();
    expect(await run("delete", admin.email, "--yes")).toEqual({
      code: 1,
      output: `${admin.email} is an administrator: npm run admin -- remove ${admin.email} first.`,
    });
    expect((await admin.client.auth.getUser()).error).toBeNull();
  });
});

describe("npm run admin -- export FOLDER", () => {
  it("writes every table as CSV for this account alone, without what opens something", async () => {
    const { id, email, client } = await signUp();
    const name = '=HYPERLINK("https://a.test","x"),\n"Ada"';
    const row = { id, first_name: "Ada", last_name: "Byron", bio: name };
    expect((await client.from("profiles").insert(row)).error).toBeNull();
    const out = join(folder, "export");
    const { code, output } = await run("export", out);
    expect(output).toMatch(/^\d+ rows of \d+ tables are in /);
    expect(code).toBe(0);

    const read = async (table: string) =>
      parse<Record<string, string>>(await readFile(join(out, `${table}.csv`)), { columns: true });
    const profile = (await read("public.profiles")).find((each) => each["id"] === id);
    expect(profile).toMatchObject({ first_name: "Ada", bio: `'${name}` });
    const account = (await read("auth.users")).find((each) => each["id"] === id);
    expect(account).toMatchObject({ email });

    const { rows } = await owner.query<{ name: string; secret: string | null }>(
      `select format('%s.%s', schemaname, tablename) as name,
         (select u.encrypted_password from auth.users u where u.id = $1) as secret
       from pg_tables where schemaname in ('public', 'private') order by 1`,
      [id],
    );
    const files = await readdir(out);
    const elsewhere = ["auth.identities", "auth.users", "storage.objects"];
    expect(files.toSorted()).toEqual(
      [...rows.map((each) => each.name), ...elsewhere].map((each) => `${each}.csv`).toSorted(),
    );
    expect((await stat(join(out, "auth.users.csv"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(out, "auth.users.csv"), "utf8")).not.toContain(rows[0]?.secret);
    const headings = await Promise.all(
      files.map(async (file) => (await readFile(join(out, file), "utf8")).split("\n")[0] ?? ""),
    );
    expect(headings.join(",")).not.toMatch(/password|_token,|p256dh|code_hash|card_hash/);
  });

  it("does not write among other files", async () => {
    expect(await run("export", projectRoot)).toEqual({
      code: 1,
      output: `${projectRoot} is not empty.`,
    });
    const file = join(projectRoot, "package.json");
    expect((await run("export", file)).output).toBe(`${file} can't be made: EEXIST`);
  });
});
