import { access, mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import type pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importLibrary } from "../../tools/content/apply.ts";
import { readLibrary } from "../../tools/content/read-library.ts";
import { shippedLibraryFolder } from "../../tools/content/shipped.ts";
import { demoAccounts, demoPassword } from "../../tools/demo/accounts.ts";
import { nameMentors } from "../../tools/demo/named-mentors.ts";
import { startProduct } from "../../tools/product.ts";
import { copyPrepared } from "../support/prepared-folders.ts";
import { freePort, projectRoot, spawnScript } from "../support/spawn-product.ts";
import { timeLimitMs } from "../support/time-limits.ts";
import { findDemoContradictions } from "./demo-contradictions.ts";

const serveScript = join(projectRoot, "tools", "serve.ts");
const jwtSecret = "trial-test-secret-of-at-least-thirty-two-characters";
const adminEmail = demoAccounts.find(({ role }) => role === "admin")?.email ?? "";

/** The variables that production requires; these tests call none of the services. */
const productionEnv = {
  PUBLIC_URL: "https://members.example.test",
  SUPABASE_JWT_SECRET: jwtSecret,
  SUPABASE_ANON_KEY: "sb_publishable_trial_data_test_key",
  SUPABASE_SERVICE_ROLE_KEY: "sb_secret_trial_data_test_key",
  STRIPE_SECRET_KEY: "sk_live_trialdatatest",
  STRIPE_PUBLISHABLE_KEY: "pk_live_trialdatatest",
  STRIPE_WEBHOOK_SECRET: "whsec_trialdatatest",
  STRIPE_PRICE_STUDENT: "price_student_live",
  STRIPE_PRICE_MENTOR: "price_mentor_live",
  SMTP_URL: "smtp://127.0.0.1:9",
  MAIL_FROM: "hello@members.example.test",
};

let folder = "";
let dataDir = "";

/** What a local install shows. */
interface Trial {
  inboxFromTunnel: number;
  inbox: number;
  contradictions: string[];
  /** Texts of the files by the name they carry, before and after an update of the product brought changed ones. */
  names: [before: Names, after: Names];
  /** What the mentor one can sign in as sees of their texts in the studio. */
  figures: { texts: number; read: number; waiting: number; rated: number };
  /** What visitors read about each course on sale: how many rated it, how many of them are quoted. */
  offers: { ratings: number; quotes: number }[];
  /** Kinds of the notifications that the student at level 1 has not read. */
  waiting: string[];
  /** By e-mail address, of the accounts one can sign in as. */
  levels: Record<string, number>;
}

type Names = Record<string, number>;

async function namesOf(owner: pg.Pool): Promise<Names> {
  const { rows } = await owner.query<{ name: string; texts: number }>(
    `select coalesce(p.first_name, 'the house') as name, count(*)::integer as texts
      from (
        select author_id, is_published from public.articles where from_files
        union all select mentor_id, is_published from public.courses where from_files
      ) t left join public.profiles p on p.id = t.author_id
      where t.is_published group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, texts }) => [name, texts]));
}

/** The shipped library as an update would bring it: one text has changed, one is new, one has gone. */
async function updateLibrary(owner: pg.Pool): Promise<void> {
  const { library } = await readLibrary(shippedLibraryFolder);
  const [changed, gone, ...others] = library.find(({ slug }) => slug === "career")?.articles ?? [];
  if (!changed || !gone) throw new Error("no articles about careers");
  const articles = [
    { ...changed, title: "Changed" },
    ...others,
    { ...changed, slug: "new-here", title: "New" },
    { ...changed, slug: "newer-still", title: "Newer" },
  ];
  const updated = library.map((shelf) =>
    shelf.slug === "career" ? { ...shelf, articles } : shelf,
  );
  const changes = await importLibrary(owner, updated, { source: "shipped", digest: "updated" });
  expect(changes.map(({ kind }) => kind).toSorted()).toEqual(["add", "add", "change", "hide"]);
  const { rows } = await owner.query(
    "select title from public.articles where slug = $1 and author_id is not null",
    [changed.slug],
  );
  expect(rows).toEqual([{ title: "Changed" }]);
  await nameMentors(owner);
}

/** A local install as `npm start` makes it, demo accounts included. */
async function tryLocally(): Promise<Trial> {
  const product = await startProduct({
    env: { PORT: "0", DATA_DIR: dataDir, SUPABASE_JWT_SECRET: jwtSecret, DEMO: "1" },
    log: pino({ level: "silent" }),
    runSchedules: false,
  });
  try {
    const owner = product.host.context.db.admin;
    const levels = await owner.query<{ email: string; level: number }>(
      `select u.email, l.current_level as level from public.user_levels l join auth.users u on u.id = l.user_id
        where u.email = any ($1)`,
      [demoAccounts.map(({ email }) => email)],
    );
    const student = createClient(product.url, product.host.context.keys.api.anonKey, {
      auth: { persistSession: false },
    });
    await student.auth.signInWithPassword({
      email: "student1@demo.fourfold.test",
      password: demoPassword,
    });
    const mentor = createClient(product.url, product.host.context.keys.api.anonKey, {
      auth: { persistSession: false },
    });
    await mentor.auth.signInWithPassword({
      email: "mentor@demo.fourfold.test",
      password: demoPassword,
    });
    const figures = await mentor.rpc("my_content_figures");
    const texts = figures.data as { readers: number; open_questions: number }[];
    const rated = await owner.query(
      "select from public.articles a join auth.users u on u.id = a.author_id where u.email = 'mentor@demo.fourfold.test' and a.rating_count > 0",
    );
    const offers = await owner.query<{ ratings: number; quotes: number }>(
      `select (o ->> 'rating_count')::integer as ratings, jsonb_array_length(o -> 'reviews') as quotes
        from private.course_offers, private.course_offer(slug) o`,
    );
    const before = await namesOf(owner);
    await updateLibrary(owner);
    const bell = await student.rpc("my_notifications");
    const { items } = bell.data as { items: { kind: string; unread: boolean }[] };
    return {
      names: [before, await namesOf(owner)],
      figures: {
        texts: texts.length,
        read: texts.filter(({ readers }) => readers > 0).length,
        waiting: texts.filter(({ open_questions: open }) => open > 0).length,
        rated: rated.rowCount ?? 0,
      },
      offers: offers.rows,
      contradictions: await findDemoContradictions(owner),
      levels: Object.fromEntries(levels.rows.map(({ email, level }) => [email, level])),
      waiting: items.filter(({ unread }) => unread).map(({ kind }) => kind),
      inbox: await statusOf(`${product.url}/dev/inbox`, {}),
      inboxFromTunnel: await statusOf(`${product.url}/dev/inbox`, { host: "tunnel.example.test" }),
    };
  } finally {
    await product.stop();
  }
}

/** A production start that is expected to work; the work is done while it serves. */
async function serveProduction(data: string, work: (url: string) => Promise<void>): Promise<void> {
  const port = await freePort();
  const env = { ...productionEnv, DATA_DIR: join(folder, data), PORT: `${port}` };
  const product = spawnScript([serveScript], env, folder);
  await product.says("Fourfold is ready");
  try {
    await work(`http://127.0.0.1:${port}`);
  } finally {
    product.child.kill("SIGTERM");
  }
  expect(await product.ended).toBe(0);
}

async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  return await new Promise((resolve, reject) => {
    const call = request(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.once("error", reject);
    call.end();
  });
}

async function refusal(env: Record<string, string>): Promise<string> {
  const spawned = spawnScript([serveScript], { DATA_DIR: dataDir, PORT: "0", ...env }, folder);
  const code = await spawned.ended;
  expect(spawned.output()).not.toContain("    at ");
  expect(code).not.toBe(0);
  // Besides its log, which says what the start had done until then.
  const said = spawned.output().split("\n");
  return said.filter((line) => !line.startsWith("{")).join("\n");
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-trial-"));
  dataDir = join(folder, "data");
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("an install that others can reach is production", () => {
  it.each([
    ["a public PUBLIC_URL", { PUBLIC_URL: "http://members.example.test" }, "PUBLIC_URL: can be"],
    ["a HOST that listens for others", { HOST: "0.0.0.0" }, "HOST: can be reached"],
    [
      "a HOST that listens for others, whatever PUBLIC_URL says,",
      { HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" },
      "HOST: can be reached",
    ],
  ])("%s needs all that production needs", async (_, env, reason) => {
    const output = await refusal({ ...env, DEMO: "1" });
    expect(output).toContain(reason);
    for (const name of ["SUPABASE_JWT_SECRET", "STRIPE_SECRET_KEY", "SMTP_URL", "DEMO"]) {
      expect(output).toContain(`${name}: `);
    }
    // It is refused before anything is made.
    await expect(access(dataDir)).rejects.toThrow();
  });
});

describe("production over the data of a trial", () => {
  it(
    "is refused for demo accounts and test payments, and starts without them",
    async () => {
      const { inbox, inboxFromTunnel, levels, waiting, contradictions, names, figures, offers } =
        await tryLocally();
      expect({ inbox, inboxFromTunnel }).toEqual({ inbox: 200, inboxFromTunnel: 403 });
      // The demo tells one story: levels equal their evidence, and nothing happens before its cause.
      expect(contradictions).toEqual([]);
      expect(levels).toEqual(
        Object.fromEntries(demoAccounts.map(({ email, level }) => [email, level])),
      );
      expect(waiting).toEqual(expect.arrayContaining(["mention", "direct_message", "reply"]));

      // The shipped texts carry the mentors' names, and an update of their files keeps them and names the new ones.
      const [before, after] = names;
      expect(Object.keys(before).toSorted()).toEqual(["Gareth", "Helen", "Leila", "the house"]);
      expect(before["the house"]).toBeLessThan(20);
      expect(after).toEqual({ ...before, Gareth: (before["Gareth"] ?? 0) + 1 });
      expect(figures.texts).toBeGreaterThan(40);
      expect(figures.read).toBeGreaterThan(20);
      expect(figures.rated).toBeGreaterThan(5);
      expect(figures.waiting).toBe(2);
      expect(offers).toHaveLength(3);
      for (const { ratings, quotes } of offers) {
        expect(ratings).toBeGreaterThanOrEqual(3);
        expect(quotes).toBe(3);
      }

      const both = await refusal(productionEnv);
      expect(both).toContain("demo accounts, whose password is public");
      expect(both).toContain("memberships paid with test cards");
      expect(both).toContain("npm run db:reset");

      // What remains in the folder does not matter: the database says what it was used for.
      await rm(join(dataDir, "sandbox.json"));
      await rm(join(dataDir, "demo.json"));
      expect(await refusal({ ...productionEnv, NODE_ENV: "production" })).toBe(both);
      // The whole story of the demo is written first.
    },
    timeLimitMs(120),
  );

  it("serves neither caught e-mail nor the card sandbox, and starts with accounts that signed up", async () => {
    await copyPrepared("schema", join(folder, "clean"));
    await serveProduction("clean", async (url) => {
      expect(await statusOf(`${url}/readyz`, {})).toBe(200);
      for (const path of ["/dev/inbox", "/sandbox/stripe/v3/"]) {
        const response = await fetch(`${url}${path}`);
        // Unknown addresses are served by the web app, which has no such page either.
        expect(await response.text()).not.toMatch(/inbox|window\.Stripe/i);
      }
      const anonymousClient = createClient(url, productionEnv.SUPABASE_ANON_KEY);
      await anonymousClient.auth.signUp({ email: adminEmail, password: demoPassword });
      const service = createClient(url, productionEnv.SUPABASE_SERVICE_ROLE_KEY);
      const { data } = await service.auth.admin.listUsers();
      expect(data.users.map(({ email }) => email)).toEqual([adminEmail]);
    });
    await serveProduction("clean", async (url) => {
      expect(await statusOf(`${url}/readyz`, {})).toBe(200);
    });
  });
});
