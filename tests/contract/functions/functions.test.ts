import { randomBytes, randomUUID } from "node:crypto";
import { request as nodeRequest } from "node:http";
import { FunctionsHttpError } from "@supabase/supabase-js";
import { describe, expect, inject, test } from "vitest";
import { anonymous, clientWith, serviceRole } from "../../support/clients.ts";
import { createStorageAccount, tokenFor } from "../storage/accounts.ts";

const at = (path: string) => `${inject("host").url}/functions/v1/${path}`;

describe("a function", () => {
  test("is called by the official client, with any method and path", async () => {
    const { data, error } = await anonymous().functions.invoke("hello/some/path?x=1", {
      method: "PUT",
      body: { a: 1 },
    });
    expect(error).toBeNull();
    expect(data).toMatchObject({ method: "PUT", url: `${inject("host").url}/hello/some/path?x=1` });
  });

  test("gets its variables without the signing secret and cannot change them", async () => {
    const { env } = (await (await fetch(at("hello"))).json()) as { env: string[] };
    expect(env).toEqual(
      expect.arrayContaining(["SUPABASE_ANON_KEY", "SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_URL"]),
    );
    expect(env).not.toContain("SUPABASE_JWT_SECRET");
    expect((await fetch(at("hello/change-env"))).status).toBe(500);
  });

  test("gets the body byte by byte", async () => {
    const bytes = randomBytes(100_000);
    const answer = await fetch(at("hello/bytes"), { method: "POST", body: bytes });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("gets the client's real address, not the claimed one", async () => {
    const answer = await fetch(at("hello"), { headers: { "x-forwarded-for": "6.6.6.6" } });
    expect(((await answer.json()) as { forwardedFor: string }).forwardedFor).toMatch(
      /^(127\.0\.0\.1|::1)$/,
    );
  });

  test("accepts six megabytes and no more", async () => {
    const six = Buffer.alloc(6 * 1024 ** 2);
    const fits = await fetch(at("hello/bytes"), { method: "POST", body: six });
    expect(fits.status).toBe(200);
    expect((await fits.arrayBuffer()).byteLength).toBe(six.length);
    const over = await fetch(at("hello/bytes"), {
      method: "POST",
      body: Buffer.concat([six, Buffer.from("x")]),
    });
    expect(over.status).toBe(413);
    expect(await over.json()).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });

  test.each(["throw", "nothing"])("that fails (%s) is answered without details", async (path) => {
    const answer = await fetch(at(`hello/${path}`));
    expect(answer.status).toBe(500);
    expect(answer.headers.get("x-request-id")).toMatch(/^[\w-]{8,64}$/);
    expect(await answer.json()).toEqual({
      code: "WORKER_ERROR",
      message: "Function exited due to an error (please check logs)",
    });
    const { error } = await anonymous().functions.invoke(`hello/${path}`);
    expect(error).toBeInstanceOf(FunctionsHttpError);
  });

  test("that cannot be loaded is answered with 503", async () => {
    const { error } = await serviceRole().functions.invoke("broken-boot");
    expect(((error as FunctionsHttpError).context as Response).status).toBe(503);
  });

  test("cannot serve HTML from the site's origin", async () => {
    const answer = await fetch(at("hello/page"));
    expect(answer.headers.get("content-type")).toContain("text/plain");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("an unknown function", () => {
  test.each([
    "absent",
    "_shared",
    "..%2f..%2f..%2fhost%2fsrc",
    "%2e%2e%2fhello",
    "hello%2f..%2fwhoami",
    "hello%00",
    "constructor",
    "__proto__",
    "",
  ])("%j is not found", async (path) => {
    const answer = await fetch(at(path));
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "NOT_FOUND" });
  });

  test("a path out of the folder is not found either", async () => {
    const { port } = new URL(inject("host").url);
    const status = await new Promise((resolve, reject) => {
      // Sent as it is: fetch would tidy the path first.
      nodeRequest({ port, path: "/functions/v1/hello/../_shared" }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(404);
  });
});

describe("the token check", () => {
  test("accepts sessions and legacy keys", async () => {
    const ada = await createStorageAccount();
    expect((await ada.client.functions.invoke("whoami")).data).toMatchObject({ sub: ada.id });
    expect((await anonymous().functions.invoke("whoami")).data).toMatchObject({ role: "anon" });
    expect((await serviceRole().functions.invoke("whoami")).data).toMatchObject({
      role: "service_role",
    });
  });

  test.each([
    ["nothing", () => undefined, "UNAUTHORIZED_NO_AUTH_HEADER"],
    ["a publishable key", () => inject("host").publishableKey, "UNAUTHORIZED_INVALID_JWT_FORMAT"],
    ["a secret key", () => inject("host").secretKey, "UNAUTHORIZED_INVALID_JWT_FORMAT"],
    ["nonsense", () => "a.b.c", "UNAUTHORIZED_INVALID_JWT"],
    [
      "another's signature",
      () => tokenFor(randomUUID(), {}, "y".repeat(40)),
      "UNAUTHORIZED_INVALID_JWT",
    ],
    ["an expired token", () => tokenFor(randomUUID(), { exp: 1 }), "UNAUTHORIZED_INVALID_JWT"],
  ])("turns %s away", async (_, makeToken, code) => {
    const token = await makeToken();
    const answer = await fetch(at("whoami"), {
      method: "POST",
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("sb-error-code")).toBe(code);
    expect(await answer.json()).toMatchObject({ code });
  });

  test("is off where config.toml says so", async () => {
    const { publishableKey } = inject("host");
    const { error } = await clientWith(publishableKey).functions.invoke("hello");
    expect(error).toBeNull();
  });
});

describe("pages of other origins", () => {
  const preflight = async (path: string) =>
    await fetch(at(path), {
      method: "OPTIONS",
      headers: {
        origin: "https://one.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,x-own",
      },
    });

  test("get CORS headers when the function sets none", async () => {
    const answer = await preflight("whoami");
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-headers")).toBe("authorization,x-own");
    const refused = await fetch(at("whoami"));
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("get the function's own CORS headers when it sets them", async () => {
    const answer = await preflight("hello/cors");
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://one.example");
  });
});
