import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Host, startHost } from "basehost";
import { inTransaction } from "basehost/database";
import {
  contentPictureAddress,
  textPictureAddress,
} from "../../web/src/domain/content-pictures.ts";
import { studioFiles } from "../../web/src/domain/library-files/studio-export.ts";
import { copyPrepared } from "../support/prepared-folders.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";

const command = join(projectRoot, "tools", "content.ts");
let host: Host;
let pool: pg.Pool;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-studio-"));
  const env = { PORT: "0", DATA_DIR: join(folder, "data") };
  await copyPrepared("schema", env.DATA_DIR);
  host = await startHost({ env, root: projectRoot, log: pino({ level: "silent" }) });
  pool = host.context.db.admin;
});
afterAll(async () => {
  await host.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Calls a function as the account does. */
async function call(account: string, sql: string, values: readonly unknown[]): Promise<unknown> {
  return await inTransaction(pool, async (client) => {
    const claims = { role: "authenticated", sub: account, session_id: account, aal: "aal2" };
    await client.query(
      "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
      [JSON.stringify(claims)],
    );
    const { rows } = await client.query<{ answer: unknown }>(`select ${sql} as answer`, [
      ...values,
    ]);
    return rows[0]?.answer;
  });
}

/** An administrator, whose own work is published without a review. */
async function administrator(): Promise<string> {
  const id = randomUUID();
  const email = `${id}@example.test`;
  await pool.query("insert into auth.users (id, email) values ($1, $2)", [id, email]);
  await pool.query("insert into auth.sessions (id, user_id, aal) values ($1, $1, 'aal1')", [id]);
  await pool.query("select private.make_admin($1)", [id]);
  await pool.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status) values ($1, $1, 'totp', 'verified')`,
    [id],
  );
  await pool.query("update auth.sessions set aal = 'aal2', factor_id = $1 where id = $1", [id]);
  return id;
}

/** The rows that readers see, without what tells a file's row from a person's. */
async function libraryRows(): Promise<unknown> {
  const of = (table: string, where: string) => `(select jsonb_agg(to_jsonb(t)
      - '{id,course_id,subcategory_id,author_id,mentor_id,from_files,created_at,updated_at}'::text[] order by t.slug) from public.${table} t where ${where})`;
  const { rows } = await pool.query(`select ${of("subcategories", "true")} as shelves,
    ${of("articles", "is_published")} as articles, ${of("courses", "is_published")} as courses,
    ${of("course_modules", "is_published")} as modules`);
  return rows[0];
}

async function content(...args: string[]) {
  const spawned = spawnScript([command, ...args], { DATA_DIR: join(folder, "data") }, projectRoot);
  return { code: await spawned.ended, output: spawned.output() };
}

const lesson = "The lesson: “ünïcode” | - # ---\n\n## Exercise\n\nDo it.";
const module = (slug: string, more: object) => ({ slug, title: slug, content: lesson, ...more });

it("an export of the studio passes `content check`, and its import gives identical rows", async () => {
  const shelf = `insert into public.subcategories (main_category, slug, name, description, color, icon, display_order)
    values ('general', 'weeks', 'Weeks: "all"', 'What a week holds.', '#0f766e', 'target', 3) returning id`;
  const { rows } = await pool.query<{ id: string }>(shelf);
  const subcategory = rows[0]?.id;
  const writer = await administrator();
  const film = `${writer}-1700000000000`;
  const filmed = `/storage/v1/object/authenticated/course-films/${film}.webm`;
  for (const name of [`${film}.webm`, `${film}.vtt`]) {
    const sql = "insert into storage.objects (bucket_id, name) values ('course-films', $1)";
    await pool.query(sql, [name]);
  }
  const picture = `${writer}-1700000000000.png`;
  await pool.query(
    "insert into storage.objects (bucket_id, name) values ('content-pictures', $1)",
    [picture],
  );
  const pictured = `![Two boats](${textPictureAddress({ name: picture, size: { width: 16, height: 9 } })})`;
  const cover = contentPictureAddress(picture);
  const article = {
    title: "- Monday: 'yes' #1",
    subcategory_id: subcategory,
    slug: "monday",
    excerpt: "true",
    tags: ["2024", "weeks & days"],
    content: `\n\n${"Wörds 42 and — dashes – count. ".repeat(90)}\n\n## A heading\n\n    code\n\n---\n\n${pictured}\n\n- [x] done\n\n`,
    cover,
  };
  const course = {
    title: "Study",
    subcategory_id: subcategory,
    slug: "study",
    excerpt: "Five hours: well spent.",
    difficulty_level: "advanced",
    price: 49.5,
    cover,
    modules: [
      module("begin", { minutes: 20, video_url: "https://player.vimeo.com/video/1" }),
      module("go-on", { content: `${pictured}\n\n## Exercise\n\nDo it.` }),
      module("watch", { video_url: filmed }),
    ],
  };
  const create = "public.create_draft($1, $2)";
  const submit = "public.submit_draft($1, 1)";
  for (const [kind, fields] of [
    ["article", article],
    ["article", { ...article, title: "Tuesday", slug: "tuesday" }],
    ["course", course],
  ] as const) {
    const draft = await call(writer, create, [kind, JSON.stringify(fields)]);
    expect(await call(writer, submit, [draft])).toBe("published");
  }
  await pool.query("update public.articles set is_featured = true where slug = 'tuesday'");
  // Neither stands in the way of the check.
  await call(writer, create, ["article", JSON.stringify({ title: "Unfinished" })]);
  const broken = { ...article, slug: "broken", content: "Some <b>bold</b> words." };
  await call(writer, create, ["article", JSON.stringify(broken)]);

  const { texts, pictures } = await studioFiles(await call(writer, "public.export_studio()", []));
  const library = join(folder, "export");
  for (const [path, text] of texts) {
    await mkdir(dirname(join(library, path)), { recursive: true });
    await writeFile(join(library, path), text);
  }
  const places = ["general/weeks", "general/weeks/courses/study", "_unfinished/general/weeks"];
  expect([...pictures.keys()].toSorted()).toEqual(
    places.map((place) => `${place}/pictures/${picture}`).toSorted(),
  );
  for (const path of pictures.keys()) {
    await mkdir(dirname(join(library, path)), { recursive: true });
    await writeFile(join(library, path), "a picture");
  }
  const monday = texts.get("general/weeks/monday.md");
  expect(monday).toContain(`cover: "pictures/${picture}"`);
  expect(monday).toContain(`![Two boats](pictures/${picture}#16x9)`);
  expect([...texts.keys()].filter((path) => path.startsWith("_unfinished/"))).toHaveLength(2);
  expect(await content("check", library)).toEqual({
    code: 0,
    output: "1 subcategories, 2 articles, 1 courses with 3 modules: no issues.\n",
  });

  const published = await libraryRows();
  expect(published).toMatchObject({
    articles: [{ slug: "monday" }, { is_featured: true }],
    modules: [{ slug: "begin" }, { slug: "go-on", video_url: null }, { video_url: filmed }],
  });
  // The rows of a person are never replaced by files, so they make room.
  await pool.query("delete from public.articles");
  await pool.query("delete from public.courses");
  await pool.query("delete from public.drafts");
  await pool.query("delete from public.subcategories");
  expect(await content("import", library, "--yes")).toMatchObject({ code: 0 });
  expect(await libraryRows()).toEqual(published);

  // Where a picture is not stored, nothing that shows it is imported.
  await pool.query(
    "set storage.allow_delete_query = 'true'; delete from storage.objects where bucket_id = 'content-pictures'",
  );
  expect(await content("import", library, "--yes")).toMatchObject({
    code: 1,
    output: expect.stringContaining(`These pictures are not stored here`) as string,
  });
});
