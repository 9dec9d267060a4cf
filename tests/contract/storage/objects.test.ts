import { beforeAll, describe, expect, test } from "vitest";
import { picture, createStorageAccount, type TestAccount } from "./accounts.ts";

let ada: TestAccount;
let bob: TestAccount;

beforeAll(async () => {
  ada = await createStorageAccount();
  bob = await createStorageAccount();
});

const documents = (who: TestAccount) => who.client.storage.from("documents");

describe("upload and download", () => {
  test("a buffer comes back byte by byte with its type", async () => {
    const path = `${ada.id}/letters/first letter.txt`;
    const content = "Grüße\u0000 and more";
    const up = await documents(ada).upload(path, Buffer.from(content), {
      contentType: "text/plain",
    });
    expect(up.error).toBeNull();
    expect(up.data).toMatchObject({ path, fullPath: `documents/${path}` });
    const down = await documents(ada).download(path);
    expect(down.error).toBeNull();
    expect(await down.data?.text()).toBe(content);
    expect(down.data?.type).toBe("text/plain");
  });

  test("a blob is sent as a form and keeps cache control and metadata", async () => {
    const path = `${ada.id}/form.png`;
    const bytes = await picture();
    const up = await documents(ada).upload(
      path,
      new Blob([bytes as BlobPart], { type: "image/png" }),
      {
        cacheControl: "120",
        metadata: { subject: "boat" },
      },
    );
    expect(up.error).toBeNull();
    const info = await documents(ada).info(path);
    expect(info.data).toMatchObject({
      id: up.data?.id,
      name: path,
      bucketId: "documents",
      contentType: "image/png",
      size: bytes.length,
      cacheControl: "max-age=120",
      metadata: { subject: "boat" },
    });
    const down = await documents(ada).download(path);
    expect(Buffer.from((await down.data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(
      true,
    );
  });

  test("a stream without a length is stored whole", async () => {
    const path = `${ada.id}/stream.txt`;
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i < 50; i += 1) controller.enqueue(new TextEncoder().encode("0123456789"));
        controller.close();
      },
    });
    const up = await documents(ada).upload(path, stream, { contentType: "text/plain" });
    expect(up.error).toBeNull();
    const down = await documents(ada).download(path);
    expect(await down.data?.text()).toBe("0123456789".repeat(50));
  });

  test("an existing name is a duplicate, unless upsert is set", async () => {
    const path = `${ada.id}/again.txt`;
    const options = { contentType: "text/plain" };
    await documents(ada).upload(path, "one", options);
    const second = await documents(ada).upload(path, "two", options);
    expect(second.error).toMatchObject({ status: 400, statusCode: "409" });
    expect(second.error?.message).toBe("The resource already exists");
    const upsert = await documents(ada).upload(path, "three", { ...options, upsert: true });
    expect(upsert.error).toBeNull();
    const update = await documents(ada).update(path, "four", options);
    expect(update.data?.id).toBe(upsert.data?.id);
    expect(await (await documents(ada).download(path)).data?.text()).toBe("four");
  });

  test("the uploader owns the row", async () => {
    const path = `${ada.id}/owned.txt`;
    await documents(ada).upload(path, "mine", { contentType: "text/plain" });
    const removed = await documents(ada).remove([path]);
    expect(removed.data).toMatchObject([{ name: path, owner: ada.id, owner_id: ada.id }]);
  });

  test("exists, move, copy and remove do what they say", async () => {
    const from = `${ada.id}/a.txt`;
    const to = `${ada.id}/moved/b.txt`;
    const copy = `${ada.id}/copied/c.txt`;
    await documents(ada).upload(from, "content", { contentType: "text/plain" });
    expect((await documents(ada).exists(from)).data).toBe(true);
    expect((await documents(ada).move(from, to)).data).toMatchObject({
      message: "Successfully moved",
    });
    expect((await documents(ada).exists(from)).data).toBe(false);
    expect((await documents(ada).copy(to, copy)).data).toEqual({ path: `documents/${copy}` });
    expect((await documents(ada).copy(to, copy)).error).toMatchObject({ statusCode: "409" });
    expect((await documents(ada).move(to, copy)).error).toMatchObject({ statusCode: "409" });
    const removed = await documents(ada).remove([to, copy, `${ada.id}/never.txt`]);
    expect(removed.data?.map((object) => object.name).toSorted()).toEqual([copy, to].toSorted());
    expect((await documents(ada).download(copy)).error).toMatchObject({
      status: 400,
      statusCode: "404",
    });
  });
});

describe("listing", () => {
  beforeAll(async () => {
    for (const name of ["b.txt", "a.txt", "sub/one.txt", "sub/two.txt", "sub/deep/three.txt"]) {
      await documents(bob).upload(`${bob.id}/list/${name}`, name, { contentType: "text/plain" });
    }
  });

  test("folders and files of one level, by name", async () => {
    const { data } = await documents(bob).list(`${bob.id}/list`);
    expect(data?.map(({ name, id }) => [name, id === null])).toEqual([
      ["a.txt", false],
      ["b.txt", false],
      ["sub", true],
    ]);
    expect(data?.[0]?.metadata).toMatchObject({ size: 5, mimetype: "text/plain" });
  });

  test("limit, offset, order and search", async () => {
    const list = async (options: object) =>
      (await documents(bob).list(`${bob.id}/list`, options)).data?.map((entry) => entry.name);
    expect(await list({ limit: 1, offset: 1 })).toEqual(["b.txt"]);
    expect(await list({ sortBy: { column: "name", order: "desc" } })).toEqual([
      "sub",
      "b.txt",
      "a.txt",
    ]);
    expect(await list({ sortBy: { column: "created_at", order: "asc" } })).toEqual([
      "sub",
      "b.txt",
      "a.txt",
    ]);
    expect(await list({ search: "SU" })).toEqual(["sub"]);
    expect(await list({ search: "%" })).toEqual([]);
  });

  test("listV2 pages to the end without repeating an entry", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data, error } = await documents(bob).listV2({
        prefix: `${bob.id}/list/`,
        limit: 2,
        sortBy: { column: "created_at", order: "desc" },
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(error).toBeNull();
      seen.push(...(data?.objects.map((object) => object.name.slice(bob.id.length + 6)) ?? []));
      cursor = data?.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(["sub/deep/three.txt", "sub/two.txt", "sub/one.txt", "a.txt", "b.txt"]);
    const { data } = await documents(bob).listV2({
      prefix: `${bob.id}/list/`,
      with_delimiter: true,
    });
    expect(data?.folders).toEqual([{ name: `${bob.id}/list/sub/`, key: "sub" }]);
    expect(data?.objects).toHaveLength(2);
  });

  test("listV2 orders a folder's page by date, folders by their first file", async () => {
    const stem = `${bob.id}/dated`;
    for (const name of ["z.txt", "m/1.txt", "a.txt", "m/2.txt", "b/1.txt"]) {
      await documents(bob).upload(`${stem}/${name}`, "x", { contentType: "text/plain" });
    }
    const page = async (prefix: string, order: "asc" | "desc") => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { data } = await documents(bob).listV2({
          prefix,
          with_delimiter: true,
          limit: 1,
          sortBy: { column: "created_at", order },
          ...(cursor === undefined ? {} : { cursor }),
        });
        seen.push(...(data ? [...data.folders, ...data.objects] : []).map(({ name }) => name));
        cursor = data?.nextCursor;
      } while (cursor !== undefined);
      return seen.map((name) => name.slice(stem.length + 1));
    };
    const oldest = ["z.txt", "m/", "a.txt", "b/"];
    expect(await page(`${stem}/`, "asc")).toEqual(oldest);
    expect(await page(`${stem}/`, "desc")).toEqual(oldest.toReversed());
    const whole = await documents(bob).listV2({ prefix: bob.id, with_delimiter: true });
    expect(whole.data?.folders).toEqual([{ name: `${bob.id}/`, key: bob.id }]);
  });
});
