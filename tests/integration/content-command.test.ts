import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "basehost";
import { inTransaction } from "basehost/database";
import { seedLibrary } from "../../tools/content/shipped.ts";
import {
  withChange,
  validFiles,
  withLibrary,
  type Files,
} from "../../tools/content/valid-library.ts";
import { copyPrepared } from "../support/prepared-folders.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";

const command = join(projectRoot, "tools", "content.ts");
const articleFile = "general/learning/close-the-book.md";
const firstModuleFile = "general/learning/courses/study/01-begin.md";
const secondModuleFile = "general/learning/courses/study/02-go-on.md";

let host: Host;
let pool: pg.Pool;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-content-"));
  const env = { PORT: "0", DATA_DIR: join(folder, "data") };
  await copyPrepared("schema", env.DATA_DIR);
  host = await startHost({ env, root: projectRoot, log: pino({ level: "silent" }) });
  pool = host.context.db.admin;
});
afterAll(async () => {
  await host.stop();
  await rm(folder, { recursive: true, force: true });
});

async function content(...args: string[]) {
  const env = { DATA_DIR: host.context.config.dataDir };
  const spawned = spawnScript([command, ...args], env, projectRoot);
  return { code: await spawned.ended, output: spawned.output() };
}

/** Runs the import of the valid library with changed files. */
async function importing(changes: Files, ...flags: string[]) {
  return await withLibrary(changes, async (library) => await content("import", library, ...flags));
}

/** Everything of the library in the database, ids included. */
async function stored(): Promise<unknown> {
  const { rows } = await pool.query(`select
    (select jsonb_agg(to_jsonb(s) order by s.id) from public.subcategories s) as shelves,
    (select jsonb_agg(to_jsonb(a) order by a.id) from public.articles a) as articles,
    (select jsonb_agg(to_jsonb(c) order by c.id) from public.courses c) as courses,
    (select jsonb_agg(to_jsonb(m) order by m.id) from public.course_modules m) as modules`);
  return rows[0];
}

async function row(table: string, slug: string): Promise<Record<string, unknown>> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `select * from public.${table} where slug = $1`,
    [slug],
  );
  expect(rows).toHaveLength(1);
  return rows[0] ?? {};
}

/** An account enrolled in the course who completed one of its modules and read an article. */
async function learner(): Promise<string> {
  const id = randomUUID();
  await pool.query("insert into auth.users (id, email) values ($1, $2)", [
    id,
    `${id}@example.test`,
  ]);
  await pool.query(
    "insert into public.course_enrollments (user_id, course_id) select $1, id from public.courses where slug = 'study'",
    [id],
  );
  await pool.query(
    "insert into public.module_completions (user_id, module_id) select $1, id from public.course_modules where slug = 'begin'",
    [id],
  );
  await pool.query(
    "insert into public.article_reads (user_id, article_id) select $1, id from public.articles where slug = 'close-the-book'",
    [id],
  );
  return id;
}

async function progress(member: string): Promise<unknown> {
  const { rows } = await pool.query(
    `select (select count(*)::integer from public.article_reads where user_id = $1) as reads,
       (select count(*)::integer from public.module_completions where user_id = $1) as modules,
       (select progress_percentage from public.course_enrollments where user_id = $1) as progress,
       (select completed_at is not null from public.course_enrollments where user_id = $1) as completed`,
    [member],
  );
  return rows[0];
}

describe("npm run content", () => {
  it("says how it is used", async () => {
    for (const args of [[], ["check", "--yes"], ["import", "a", "b"], ["export"]]) {
      const { code, output } = await content(...args);
      expect([code, output]).toEqual([1, expect.stringContaining("Usage: npm run content")]);
    }
  });

  it("checks a folder without a database, and the shipped library by default", async () => {
    const { code, output } = await content("check");
    expect([code, output]).toEqual([0, expect.stringContaining(": no issues.")]);
    await withLibrary({ [firstModuleFile]: null }, async (library) => {
      const checked = await content("check", library);
      expect(checked.code).toBe(1);
      expect(checked.output).toContain("02-go-on.md:1: Module 02 stands where 01 is expected");
    });
  });

  it("shows what it would change and changes nothing until it is told to", async () => {
    const { code, output } = await importing({});
    expect(code).toBe(0);
    expect(output).toContain("+ article general/learning/close-the-book\n");
    expect(output).toContain("+ module general/learning/courses/study".replace("/courses", ""));
    expect(output).toContain("Nothing was changed");
    expect(await stored()).toMatchObject({ shelves: null, articles: null });
  });

  it("imports all of it, once, with the order of the files as the newest first", async () => {
    expect(await importing({}, "--yes")).toMatchObject({ code: 0 });
    const before = await stored();
    expect(await row("courses", "study")).toMatchObject({
      module_count: 2,
      estimated_duration: 40,
      price: "49.50",
      is_free: false,
      is_published: true,
    });
    const { rows } = await pool.query(
      "select slug from public.articles where slug like '%-the-book' order by created_at desc",
    );
    expect(rows).toEqual([{ slug: "close-the-book" }, { slug: "open-the-book" }]);
    const again = await importing({}, "--yes");
    expect([again.code, again.output]).toEqual([0, expect.stringContaining("nothing to change")]);
    expect(await stored()).toEqual(before);
  });

  it("keeps ids, counts and what members did when texts change", async () => {
    const member = await learner();
    const before = await row("articles", "close-the-book");
    await pool.query("update public.articles set read_count = 7 where slug = 'close-the-book'");
    const changed = withChange(articleFile, "The first paragraph", "Another first paragraph");
    const { output } = await importing(changed, "--yes");
    expect(output).toContain("~ article general/learning/close-the-book (content)\n");
    const { id, created_at } = before;
    const after = await row("articles", "close-the-book");
    expect(after).toMatchObject({ id, created_at, read_count: 7 });
    expect(after["content"]).toContain("Another first");
    expect(await progress(member)).toEqual({
      reads: 1,
      modules: 1,
      progress: 50,
      completed: false,
    });
  });

  it("hides what is missing, restores it unchanged, and keeps what members did", async () => {
    const member = await learner();
    const before = await stored();
    const gone = Object.fromEntries(
      Object.keys(validFiles)
        .filter((path) => path.startsWith("general/"))
        .map((path) => [path, null]),
    );
    const { output } = await importing(gone, "--yes");
    expect(output).toContain("- article general/learning/close-the-book (hidden");
    expect(output).not.toContain("- module");
    expect(await row("articles", "close-the-book")).toMatchObject({ is_published: false });
    expect(await row("courses", "study")).toMatchObject({ is_published: false });
    expect(await row("subcategories", "learning")).toMatchObject({ is_active: false });
    const back = await importing(withChange(articleFile, "The first", "Another first"), "--yes");
    expect(back.output).toContain("+ article general/learning/close-the-book (shown again)");
    expect(await stored()).toEqual(before);
    expect(await progress(member)).toMatchObject({ reads: 1, modules: 1, progress: 50 });
  });

  it("replaces a module without completing the course for members meanwhile, and counts again afterwards", async () => {
    const member = await learner();
    const replaced = {
      [secondModuleFile]: null,
      "general/learning/courses/study/02-carry-on.md": validFiles[secondModuleFile] ?? "",
    };
    expect((await importing(replaced, "--yes")).code).toBe(0);
    expect(await row("courses", "study")).toMatchObject({ module_count: 2 });
    expect(await progress(member)).toMatchObject({ progress: 50, completed: false });
    await importing({}, "--yes");
    expect(await row("course_modules", "go-on")).toMatchObject({ is_published: true });
  });

  it("changes nothing at all when one file is broken", async () => {
    const before = await stored();
    const broken = {
      ...withChange(articleFile, "The first", "First"),
      ...withChange(firstModuleFile, "minutes: 20", "minutes: x"),
    };
    const { code, output } = await importing(broken, "--yes");
    expect(code).toBe(1);
    expect(output).toContain("01-begin.md:3: `minutes` must be a whole number");
    expect(output).toContain("1 issue; nothing was changed.");
    expect(await stored()).toEqual(before);
  });

  it("works on a database by its address, once its migrations have run", async () => {
    const before = await stored();
    const into = async (url: string) =>
      await withLibrary({}, async (library) => {
        const args = [command, "import", library, "--yes"];
        const spawned = spawnScript(
          args,
          { DATABASE_URL: url, DATA_DIR: join(folder, "none") },
          projectRoot,
        );
        return { code: await spawned.ended, output: spawned.output() };
      });
    const { url } = host.context.db;
    expect(await into(url)).toMatchObject({ code: 0 });
    expect(await stored()).toEqual(before);
    const empty = new URL(url);
    empty.pathname = "/template1";
    const { code, output } = await into(empty.href);
    expect([code, output]).toEqual([1, expect.stringContaining("run its migrations first")]);
  });

  it("leaves alone what members wrote", async () => {
    const author = randomUUID();
    await pool.query("insert into auth.users (id, email) values ($1, $2)", [
      author,
      `${author}@example.test`,
    ]);
    await pool.query("insert into public.profiles (id) values ($1)", [author]);
    await pool.query(
      `insert into public.articles (subcategory_id, slug, title, author_id, is_published)
         select id, 'hers', 'Hers', $1, true from public.subcategories where slug = 'saving'`,
      [author],
    );
    const gone = Object.fromEntries(
      Object.keys(validFiles)
        .filter((path) => path.startsWith("wealth/"))
        .map((path) => [path, null]),
    );
    expect((await importing(gone, "--yes")).code).toBe(0);
    expect(await row("articles", "hers")).toMatchObject({ title: "Hers", is_published: true });
    expect(await row("subcategories", "saving")).toMatchObject({ is_active: true });
    expect((await importing(gone, "--yes")).output).toContain("nothing to change");
    const taken = { "wealth/saving/hers.md": validFiles[articleFile] ?? "" };
    const { code, output } = await importing(taken, "--yes");
    expect([code, output]).toEqual([1, expect.stringContaining("wealth/saving/hers")]);
    expect(await row("articles", "hers")).toMatchObject({ title: "Hers" });
    await pool.query("delete from auth.users where id = $1", [author]);
    expect((await importing({}, "--yes")).code).toBe(0);
    expect(await row("articles", "hers")).toMatchObject({ author_id: null, is_published: true });
  });

  it("keeps what an administrator set in the console, and says so", async () => {
    const admin = randomUUID();
    await pool.query("insert into auth.users (id) values ($1)", [admin]);
    await pool.query("select private.make_admin($1)", [admin]);
    await pool.query(
      `with factor as (insert into auth.mfa_factors (id, user_id, factor_type, status) values ($1, $1, 'totp', 'verified'))
       insert into auth.sessions (id, user_id, aal, factor_id) values ($1, $1, 'aal2', $1)`,
      [admin],
    );
    const claims = { role: "authenticated", sub: admin, session_id: admin, aal: "aal2" };
    const asAdmin = async (sql: string) => {
      await inTransaction(pool, async (db) => {
        await db.query(
          "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
          [JSON.stringify(claims)],
        );
        await db.query(sql);
      });
    };
    const { id } = await row("articles", "close-the-book");
    const shelf = await row("subcategories", "learning");
    const edit = `select public.edit_content_item('articles', '${String(id)}'`;
    await asAdmin(`${edit}, is_published => false, is_featured => true)`);
    await asAdmin(`select public.edit_subcategory('${String(shelf["id"])}', name => 'Ours')`);
    await asAdmin("select public.create_subcategory('general', 'made-here', 'Made here')");
    const changed = {
      ...withChange(articleFile, "The first", "The very first"),
      ...withChange("general/learning/_subcategory.md", "order: 1", "order: 9"),
    };
    const { output } = await importing(changed, "--yes");
    expect(output).toContain(
      "= article general/learning/close-the-book (kept from the console: is_featured, is_published)\n",
    );
    expect(output).toContain("= subcategory general/learning (kept from the console: name)\n");
    expect(output).toContain(
      "= subcategory general/made-here (kept from the console: is_active)\n",
    );
    const kept = await row("articles", "close-the-book");
    expect(kept).toMatchObject({ id, is_published: false, is_featured: true });
    expect(kept["content"]).toContain("The very first");
    expect(await row("subcategories", "learning")).toMatchObject({
      name: "Ours",
      display_order: 9,
    });
    expect(await row("subcategories", "made-here")).toMatchObject({ is_active: true });
    expect((await importing(changed, "--yes")).output).toContain("nothing to change");
    await asAdmin(`${edit}, is_published => true)`);
    expect((await importing(changed, "--yes")).output).toContain(
      "(kept from the console: is_featured)",
    );
    await pool.query("truncate private.console_edits");
    await importing({}, "--yes");
  });

  it("is not undone by a start once the operator imported a library", async () => {
    const before = await stored();
    await withLibrary(withChange(articleFile, "The first", "Shipped"), async (library) => {
      await seedLibrary(pool, pino({ level: "silent" }), library);
    });
    expect(await stored()).toEqual(before);
  });
});

describe("a start", () => {
  it("brings the shipped library into an empty database, again when its files changed, and not otherwise", async () => {
    await pool.query("truncate private.content_imports, public.subcategories cascade");
    const log = pino({ level: "silent" });
    const seed = async (changes: Files) =>
      await withLibrary(changes, async (library) => await seedLibrary(pool, log, library));
    await seed({});
    // Without a demo the texts of the files carry the product's name.
    expect(await row("articles", "close-the-book")).toMatchObject({
      is_published: true,
      author_id: null,
    });
    expect(await row("courses", "study")).toMatchObject({ mentor_id: null });
    await pool.query("update public.articles set title = 'Mine' where slug = 'close-the-book'");
    await seed({});
    expect(await row("articles", "close-the-book")).toMatchObject({ title: "Mine" });
    await seed(withChange(articleFile, "The first", "A new first"));
    expect(await row("articles", "close-the-book")).toMatchObject({ title: "Close the Book" });
    await seed(withChange(articleFile, "order: 1", "order: x"));
    expect(await row("articles", "close-the-book")).toMatchObject({ display_order: 1 });
  });
});
