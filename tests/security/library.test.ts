import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { member, owner, setSubscriptionStatus, stored } from "./members.ts";

const secretText = "Only for the enrolled.";

interface Stock {
  slug: string;
  shelf: string;
  article: string;
  course: string;
  modules: string[];
}

async function add(sql: string, values: unknown[]): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(`${sql} returning id`, values);
  return rows[0]?.id ?? "";
}

/** A subcategory with an article and a course of two modules. */
async function stocked(category: "general" | "wealth"): Promise<Stock> {
  const slug = `shelf-${randomUUID()}`;
  const shelf = await add(
    "insert into public.subcategories (main_category, slug, name) values ($1, $2, 'Shelf')",
    [category, slug],
  );
  const article = await add(
    `insert into public.articles (subcategory_id, slug, title, content, is_published)
       values ($1, 'a', 'Article', $2, true)`,
    [shelf, secretText],
  );
  const course = await add(
    "insert into public.courses (subcategory_id, slug, title, is_published) values ($1, 'c', 'Course', true)",
    [shelf],
  );
  const modules: string[] = [];
  for (const order of [1, 2]) {
    const id = await add(
      `insert into public.course_modules (course_id, slug, title, content, module_order)
         values ($1, 'm' || $2::integer, 'Module', $3, $2)`,
      [course, order, secretText],
    );
    modules.push(id);
  }
  return { slug, shelf, article, course, modules };
}

async function memberAt(level: number): Promise<Account> {
  const account = await member();
  await owner.query("update public.user_levels set current_level = $2 where user_id = $1", [
    account.id,
    level,
  ]);
  return account;
}

/** The answers to every request of the API that could return an article or a module. */
async function requestAll(client: SupabaseClient, stock: Stock) {
  return await Promise.all([
    client.from("articles").select("*").eq("subcategory_id", stock.shelf),
    client
      .from("subcategories")
      .select("*, articles(*), courses(*, course_modules(*))")
      .eq("id", stock.shelf),
    client
      .from("courses")
      .select("*, subcategories(*, articles(*)), course_modules(*)")
      .eq("id", stock.course),
    client.from("course_modules").select("*, courses(*)").eq("course_id", stock.course),
    client.from("course_enrollments").select("*, courses(*, course_modules(*))"),
    client.from("module_completions").select("*, course_modules(*)"),
    client.from("article_opens").select("*, articles(*)"),
    client.from("article_reads").select("*, articles(*)"),
    client.from("profiles").select("*, articles(*), courses(*)"),
    client.from("articles").update({ read_count: 1 }).eq("id", stock.article).select(),
    client
      .from("courses")
      .update({ enrollment_count: 1 })
      .eq("id", stock.course)
      .select("*, course_modules(*)"),
    client
      .from("articles")
      .select("id", { count: "exact" })
      .like("content", `%${secretText}%`)
      .eq("id", stock.article),
    client.rpc("search_library", { query: secretText, max_results: 50 }),
    client.rpc("category_home", { category: "wealth", shelf: "articles" }),
    client.rpc("subcategory_page", { category: "wealth", slug: stock.slug, shelf: "articles" }),
    client.rpc("subcategory_page", { category: "wealth", slug: stock.slug, shelf: "courses" }),
    client.rpc("export_my_data"),
  ]);
}

/** The same answers as one text to look for the secret in. */
async function everything(client: SupabaseClient, stock: Stock): Promise<string> {
  const answers = await requestAll(client, stock);
  return JSON.stringify(answers.map(({ data, count }) => [data, count ?? 0]));
}

describe("a member using the library", () => {
  let account: Account;
  let stock: Stock;
  beforeAll(async () => {
    account = await memberAt(2);
    stock = await stocked("general");
  });

  test("lists a subcategory and its articles with counts, and reads one", async () => {
    const { client, id } = account;
    const shelves = await client
      .from("subcategories")
      .select("*")
      .eq("main_category", "general")
      .eq("is_active", true)
      .order("display_order");
    expect(shelves.data?.map((shelf) => (shelf as { id: string }).id)).toContain(stock.shelf);
    const shelf = await client
      .from("subcategories")
      .select("*")
      .eq("main_category", "general")
      .eq("slug", stock.slug)
      .single();
    expect(shelf.data).toMatchObject({ id: stock.shelf });
    const counted = await client
      .from("subcategories")
      .select("id, articles(count)")
      .eq("id", stock.shelf);
    expect(counted.data).toEqual([{ id: stock.shelf, articles: [{ count: 1 }] }]);
    const list = await client
      .from("articles")
      .select("*", { count: "exact" })
      .eq("subcategory_id", stock.shelf)
      .eq("is_published", true)
      .order("is_featured", { ascending: false })
      .order("created_at", { ascending: false });
    expect(list).toMatchObject({ count: 1, error: null });
    const one = await client
      .from("articles")
      .select("*, subcategories(name, color)")
      .eq("id", stock.article)
      .eq("is_published", true)
      .single();
    expect(one.data).toMatchObject({ content: secretText, subcategories: { name: "Shelf" } });
    const sent = { read_count: 1 };
    const opened = await client.from("articles").update(sent).eq("id", stock.article);
    expect(opened).toMatchObject({ error: null, status: 204 });
    const row = { user_id: id, article_id: stock.article };
    expect((await client.from("article_reads").insert(row)).error).toBeNull();
    const reads = await client.from("article_reads").select("article_id").eq("user_id", id);
    expect(reads.data).toEqual([{ article_id: stock.article }]);
    expect((await client.from("article_reads").insert(row)).error).toMatchObject({ code: "23505" });
  });

  test("takes a course from enrolment to completion with the spec's calls", async () => {
    const { client, id } = account;
    const course = async () =>
      await client
        .from("courses")
        .select("*, subcategories(name, color), course_modules(*)")
        .eq("id", stock.course)
        .eq("is_published", true)
        .single();
    expect((await course()).data).toMatchObject({ enrollment_count: 0, course_modules: [] });
    const row = { user_id: id, course_id: stock.course };
    expect((await client.from("course_enrollments").insert(row)).error).toBeNull();
    const count = { enrollment_count: 1 };
    expect((await client.from("courses").update(count).eq("id", stock.course)).error).toBeNull();
    expect((await course()).data).toMatchObject({
      enrollment_count: 1,
      course_modules: [{ content: secretText }, { content: secretText }],
    });
    const counted = await client
      .from("courses")
      .select("id, course_modules(count), course_enrollments(count)")
      .eq("id", stock.course);
    expect(counted.data).toEqual([
      { id: stock.course, course_modules: [{ count: 2 }], course_enrollments: [{ count: 1 }] },
    ]);
    for (const [at, module_id] of stock.modules.entries()) {
      const done = { user_id: id, module_id };
      expect((await client.from("module_completions").insert(done)).error).toBeNull();
      const progress_percentage = [50, 100][at];
      const sent = { progress_percentage, ...(at === 1 ? { completed_at: new Date() } : {}) };
      const { error } = await client.from("course_enrollments").update(sent).match(row);
      expect(error).toBeNull();
      const { data } = await client
        .from("course_enrollments")
        .select("course_id, completed_at, progress_percentage")
        .match(row)
        .single();
      expect(data).toMatchObject({ progress_percentage });
    }
    const own = await client.from("module_completions").select("module_id").eq("user_id", id);
    expect(own.data).toHaveLength(2);
    const exported = await client.rpc("export_my_data");
    expect(exported.data).toMatchObject({
      article_opens: [{ article_id: stock.article }],
      article_reads: [{ article_id: stock.article }],
      course_enrollments: [{ course_id: stock.course, progress_percentage: 100 }],
      articles_written: [],
    });
  });
});

describe("a tampering client", () => {
  test("changes no counter and completes nothing at once", async () => {
    const stock = await stocked("general");
    const { client, id } = await memberAt(2);
    for (const read_count of [9999, -1, 5]) {
      const { error } = await client
        .from("articles")
        .update({ read_count })
        .eq("id", stock.article);
      expect(error).toBeNull();
    }
    expect(await stored("articles", "id", stock.article)).toMatchObject([{ read_count: 1 }]);
    const enrolment = { user_id: id, course_id: stock.course };
    const eager = { ...enrolment, progress_percentage: 100, completed_at: new Date() };
    const refused = await client.from("course_enrollments").insert(eager);
    expect(refused.error).toMatchObject({ code: "42501" });
    const early = { user_id: id, module_id: stock.modules[0] };
    const unenrolled = await client.from("module_completions").insert(early);
    expect(unenrolled.error).toMatchObject({ code: "FF405" });
    await client.from("course_enrollments").insert(enrolment);
    const { enrollment_count } = { enrollment_count: 9999 };
    await client.from("courses").update({ enrollment_count }).eq("id", stock.course);
    const finished = { progress_percentage: 100, completed_at: new Date() };
    const update = await client
      .from("course_enrollments")
      .update(finished)
      .match(enrolment)
      .select();
    expect(update.data).toMatchObject([{ progress_percentage: 0, completed_at: null }]);
    expect(await stored("courses", "id", stock.course)).toMatchObject([{ enrollment_count: 1 }]);
    const again = await client
      .from("course_enrollments")
      .upsert(eager, { onConflict: "user_id,course_id" });
    expect(again.error).toMatchObject({ code: "42501" });
    expect(await stored("course_enrollments", "user_id", id)).toMatchObject([
      { progress_percentage: 0, completed_at: null },
    ]);
  });

  test("cannot mark 25 articles as read in a second", async () => {
    const stock = await stocked("general");
    const { client, id } = await memberAt(2);
    const row = { user_id: id, article_id: stock.article };
    const unopened = await client.from("article_reads").insert(row);
    expect(unopened.error).toMatchObject({ code: "FF403" });
    const all = await client.from("articles").update({ read_count: 1 }).neq("title", "");
    expect(all.error).toMatchObject({ code: "FF402" });
    const { rows } = await owner.query<{ id: string }>(
      `insert into public.articles (subcategory_id, slug, title, is_published)
         select $1, 'fast-' || n, 'A', true from generate_series(1, 31) n returning id`,
      [stock.shelf],
    );
    const outcomes: (string | undefined)[] = [];
    for (const { id: article_id } of rows) {
      await client.from("articles").update({ read_count: 1 }).eq("id", article_id);
      const { error } = await client.from("article_reads").insert({ user_id: id, article_id });
      outcomes.push(error?.code);
    }
    expect(outcomes.filter((code) => code === undefined)).toHaveLength(30);
    expect(outcomes.at(-1)).toBe("FF300");
  });

  test("reads no paid text as visitor, below the level, lapsed or not enrolled", async () => {
    const stock = await stocked("wealth");
    const low = await memberAt(3);
    expect(await everything(low.client, stock)).not.toContain(secretText);
    expect(await everything(anonymous(), stock)).not.toContain(secretText);
    const high = await memberAt(4);
    const readable = await everything(high.client, stock);
    expect(readable).toContain(secretText);
    // The member may read the article, but not the modules before enrolling.
    await owner.query("update public.articles set content = 'Open words.' where id = $1", [
      stock.article,
    ]);
    expect(await everything(high.client, stock)).not.toContain(secretText);
    await high.client
      .from("course_enrollments")
      .insert({ user_id: high.id, course_id: stock.course });
    expect(await everything(high.client, stock)).toContain(secretText);
    // This member gets an answer to each request, so earlier refusals were due to missing rights only.
    for (const { error } of await requestAll(high.client, stock)) expect(error).toBeNull();
    await setSubscriptionStatus(high.id, "past_due");
    const lapsed = await everything(high.client, stock);
    expect(lapsed).not.toContain(secretText);
    expect(lapsed).not.toContain("Open words.");
  });

  test("cannot write to the library", async () => {
    const stock = await stocked("general");
    const { client } = await memberAt(4);
    const rows: [string, Record<string, unknown>][] = [
      ["subcategories", { main_category: "general", slug: "x", name: "X" }],
      ["articles", { subcategory_id: stock.shelf, slug: "x", title: "X" }],
      ["courses", { subcategory_id: stock.shelf, slug: "x", title: "X" }],
      ["course_modules", { course_id: stock.course, slug: "x", title: "X", module_order: 1 }],
    ];
    for (const [table, row] of rows) {
      expect((await client.from(table).insert(row)).error, table).toMatchObject({ code: "42501" });
      const renamed = await client.from(table).update({ slug: "y" }).neq("slug", "");
      expect(renamed.error, table).toMatchObject({ code: "42501" });
      const gone = await client.from(table).delete().neq("slug", "");
      expect(gone.error, table).toMatchObject({ code: "42501" });
    }
  });
});
