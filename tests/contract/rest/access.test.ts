import { createClient } from "@supabase/supabase-js";
import { describe, expect, inject, it } from "vitest";
import { anonymous, clientWith, serviceRole } from "../../support/clients.ts";
import { createUserWithClaims, rawRequest, signToken } from "./callers.ts";

describe("row-level security", () => {
  it("shows and changes only a caller's own rows", async () => {
    const [one, two] = [await createUserWithClaims(), await createUserWithClaims()];
    const mine = await one.client.from("diaries").insert({ entry: "secret" }).select().single();
    expect(mine.data).toMatchObject({ owner: one.id, entry: "secret" });
    const id = (mine.data as { id: string }).id;
    expect((await two.client.from("diaries").select().eq("id", id)).data).toEqual([]);
    const update = two.client.from("diaries").update({ entry: "x" }).eq("id", id).select();
    expect((await update).data).toEqual([]);
    expect((await two.client.from("diaries").delete({ count: "exact" }).eq("id", id)).count).toBe(
      0,
    );
    await one.client.from("diaries").update({ shared: true }).eq("id", id);
    const seen = await two.client.from("diaries").select("entry").eq("id", id);
    expect(seen.data).toEqual([{ entry: "secret" }]);
  });

  it("refuses to insert rows for another user", async () => {
    const [one, two] = [await createUserWithClaims(), await createUserWithClaims()];
    const { error, status } = await one.client
      .from("diaries")
      .insert({ entry: "forged", owner: two.id });
    expect(status).toBe(403);
    expect(error).toMatchObject({
      code: "42501",
      message: 'new row violates row-level security policy for table "diaries"',
    });
  });

  it("does not bind the service role", async () => {
    const one = await createUserWithClaims();
    await one.client.from("diaries").insert({ entry: "kept" });
    const { data } = await serviceRole().from("diaries").select("entry").eq("owner", one.id);
    expect(data).toEqual([{ entry: "kept" }]);
  });
});

describe("grants", () => {
  it("answer 401 to an anonymous caller and 403 to a signed-in user, with Postgres's message", async () => {
    const unauthenticated = await anonymous().from("vault").select();
    expect(unauthenticated.status).toBe(401);
    expect(unauthenticated.error).toEqual({
      code: "42501",
      message: "permission denied for table vault",
      details: null,
      hint: null,
    });
    const { client } = await createUserWithClaims();
    expect((await client.from("vault").select()).status).toBe(403);
    expect((await serviceRole().from("vault").select()).data).toEqual([
      { id: 1, treasure: "gold" },
    ]);
  });

  it("hold for columns, also inside embeds, filters and orders", async () => {
    const people = () => anonymous().from("people");
    expect((await people().select("id, name").eq("id", 1)).data).toEqual([{ id: 1, name: "Rita" }]);
    for (const query of [
      people().select(),
      people().select("private_note"),
      people().select("id").eq("private_note", "x"),
      people().select("id").order("private_note"),
      anonymous().from("loans").select("people!reader_id(private_note)"),
    ]) {
      expect((await query).error).toMatchObject({ code: "42501" });
    }
  });

  it("hold for functions", async () => {
    expect((await anonymous().rpc("keyholder")).error).toMatchObject({
      code: "42501",
      message: "permission denied for function keyholder",
    });
    expect((await serviceRole().rpc("keyholder")).data).toBe("key");
  });
});

describe("tokens", () => {
  const ask = async (token: string) =>
    await rawRequest("/books?select=id&limit=1", { headers: { authorization: `Bearer ${token}` } });

  it("signed with another secret are refused", async () => {
    const token = await signToken(
      { role: "service_role" },
      "another-secret-of-thirty-two-characters!",
    );
    const response = await ask(token);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain('Bearer error="invalid_token"');
    expect(await response.json()).toMatchObject({ code: "PGRST301" });
  });

  it("that have expired are refused", async () => {
    const response = await ask(await signToken({ role: "authenticated", exp: 1_700_000_000 }));
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "PGRST303", message: "JWT expired" });
  });

  it.each(["nobody", "none", "postgres", "supabase_admin"])(
    "for the role %s are refused",
    async (role) => {
      const response = await ask(await signToken({ role, sub: "x" }));
      expect([401, 403]).toContain(response.status);
    },
  );

  it("need an API key of either kind as well", async () => {
    const { url, publishableKey, secretKey } = inject("host");
    expect((await fetch(`${url}/rest/v1/books`)).status).toBe(401);
    expect((await fetch(`${url}/rest/v1/books`, { headers: { apikey: "x" } })).status).toBe(401);
    expect((await clientWith(publishableKey).from("books").select("id")).data).toHaveLength(5);
    expect((await clientWith(secretKey).from("vault").select("id")).data).toHaveLength(1);
  });

  it("reach functions as claims, with the role's timeouts", async () => {
    const { client, id } = await createUserWithClaims({ team: "blue" });
    const { data } = await client.rpc("who_calls").setHeader("x-agent", "tester");
    expect(data).toMatchObject({
      role: "authenticated",
      claims: { sub: id, team: "blue", role: "authenticated" },
      method: "POST",
      path: "/rpc/who_calls",
      agent: "tester",
      timeout: "8s",
      zone: "UTC",
    });
    const unauthenticated = await anonymous().rpc("who_calls", {}, { get: true });
    expect(unauthenticated.data).toMatchObject({ role: "anon", method: "GET", timeout: "3s" });
  });

  it("leave nothing behind for the next request on the connection", async () => {
    const { client } = await createUserWithClaims();
    await Promise.all(Array.from({ length: 40 }, async () => await client.rpc("who_calls")));
    const answers = await Promise.all(
      Array.from({ length: 40 }, async () => await anonymous().rpc("who_calls")),
    );
    for (const { data } of answers) {
      expect(data).toMatchObject({ role: "anon", claims: { role: "anon" } });
      expect(data).not.toHaveProperty("claims.sub");
    }
  });
});

describe("names", () => {
  it("are not revealed by errors about missing objects", async () => {
    const client = anonymous();
    for (const answer of [
      await client.from("vaul").select(),
      await client.from("people").select("private_notes"),
      await client.rpc("keyholders"),
      await client.rpc("keyholder", { a: 1 }),
      await client.from("books").select("vaults(*)"),
      await client.from("people").insert({ private_notes: "x" }),
    ]) {
      expect(answer.error).not.toBeNull();
      expect(answer.error?.hint).toBeNull();
      const text = JSON.stringify(answer.error).replaceAll(
        /vaul(?!t\b)|private_notes|keyholders|vaults/g,
        "",
      );
      expect(text).not.toMatch(/vault|private_note|treasure/);
    }
  });

  it("of candidates are listed only for roles that may use them", async () => {
    const embed = async (client: ReturnType<typeof anonymous>) =>
      await client.from("publishers").select("bribes(id)");
    expect((await embed(anonymous())).error).toMatchObject({
      code: "PGRST201",
      details: [],
      hint: null,
    });
    expect((await embed(serviceRole())).error?.details).toHaveLength(2);
    const call = async (client: ReturnType<typeof anonymous>) =>
      await client.rpc("open_vault", { code: 1 });
    const unauthenticated = await call(anonymous());
    expect(unauthenticated.error).toMatchObject({ code: "PGRST203", hint: null });
    expect(unauthenticated.error?.message).toBe("Could not choose the best candidate function");
    expect((await call(serviceRole())).error?.message).toContain("open_vault(code => integer)");
  });

  it("of the whole schema are not listed", async () => {
    for (const key of [inject("host").anonKey, inject("host").serviceRoleKey]) {
      const client = createClient(inject("host").url, key);
      const answer = await rawRequest("/", { headers: { apikey: key } });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: "PGRST126" });
      expect((await client.from("pg_class").select()).error?.code).toBe("PGRST205");
    }
  });

  it("of tables in other schemas cannot be used", async () => {
    const client = serviceRole();
    expect((await client.schema("auth").from("users").select()).error?.code).toBe("PGRST106");
    expect((await client.from("users").select()).error?.code).toBe("PGRST205");
    expect((await client.from("auth.users").select()).error?.code).toBe("PGRST205");
    expect((await client.from("scrolls").select()).error?.code).toBe("PGRST205");
  });
});
