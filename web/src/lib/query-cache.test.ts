import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { refetchQueries } from "./query-cache.ts";

const key = ["feed"];
const clients: QueryClient[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.clear();
});

/** A list of pages whose answers the test gives, in the order they were asked for. */
function openList() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  clients.push(client);
  const asked: { page: number; answer: (text: string) => void; fail: () => void }[] = [];
  const list = new InfiniteQueryObserver(client, {
    queryKey: key,
    queryFn: ({ pageParam }) =>
      new Promise<string>((resolve, reject) => {
        asked.push({ page: pageParam, answer: resolve, fail: () => reject(new Error("away")) });
      }),
    initialPageParam: 1,
    getNextPageParam: (_page, pages) => pages.length + 1,
  });
  list.subscribe(() => {});
  async function next() {
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    return asked.shift()!;
  }
  const pages = () => list.getCurrentResult().data?.pages;
  return { client, list, next, pages };
}

test("a page that was asked for arrives, although the list changes meanwhile, and all is read anew then", async () => {
  const { client, list, next, pages } = openList();
  (await next()).answer("first");
  await expect.poll(pages).toEqual(["first"]);
  void list.fetchNextPage();
  const second = await next();
  expect(second.page).toBe(2);
  refetchQueries(client, key);
  second.answer("second");
  await expect.poll(pages).toEqual(["first", "second"]);
  (await next()).answer("first, changed");
  (await next()).answer("second, changed");
  await expect.poll(pages).toEqual(["first, changed", "second, changed"]);
});

test("when the further page does not come, the list is still read anew", async () => {
  const { client, list, next, pages } = openList();
  (await next()).answer("first");
  await expect.poll(pages).toEqual(["first"]);
  void list.fetchNextPage();
  const second = await next();
  refetchQueries(client, key);
  second.fail();
  const again = await next();
  expect(again.page).toBe(1);
  again.answer("first, changed");
  await expect.poll(pages).toEqual(["first, changed"]);
});

test("a first answer that is on its way is asked for once more when it has come", async () => {
  const { client, next, pages } = openList();
  const early = await next();
  refetchQueries(client, key);
  early.answer("early");
  (await next()).answer("late");
  await expect.poll(pages).toEqual(["late"]);
});
