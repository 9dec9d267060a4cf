import { readdirSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, inject, it, vi } from "vitest";
import { openProject, settingsAt } from "basehost";
import handleSweep from "../../supabase/functions/expire-room-leases/handler.ts";
import { signUp, type Account } from "../support/clients.ts";
import { projectRoot } from "../support/spawn-product.ts";
import { administrator, owner, plainAdministrator } from "./members.ts";

type Caller = "member" | "administrator" | "scheduler" | "provider" | "anybody" | "visitor";

/** Who may call a function; `anybody` calls without effect, a `visitor` needs no account. */
const callerByFunction: Record<string, Caller> = {
  "admin-coupons": "administrator",
  "admin-plan-prices": "administrator",
  "admin-refund-payment": "administrator",
  "admin-retry-event": "administrator",
  "admin-retry-payment": "administrator",
  "admin-settle-guarantee": "administrator",
  "admin-stop-renewal": "administrator",
  "affiliate-visit": "visitor",
  "billing-reconcile": "scheduler",
  "count-content-days": "scheduler",
  "course-offer": "visitor",
  "create-stripe-customer": "member",
  "decrement-participant-count": "anybody",
  "delete-my-account": "member",
  "expire-room-leases": "scheduler",
  "preview-emails": "administrator",
  "guarantee-figures": "visitor",
  "open-guarantee-document": "member",
  "open-verification-document": "member",
  "publish-due-drafts": "scheduler",
  "purge-documents": "scheduler",
  "queue-reminders": "scheduler",
  "send-emails": "scheduler",
  "stripe-buy-course": "member",
  "stripe-buy-gift": "member",
  "send-pushes": "scheduler",
  "shared-card": "visitor",
  "stripe-cancel-plan-change": "member",
  "stripe-cancel-subscription": "member",
  "stripe-change-plan": "member",
  "stripe-pause-membership": "member",
  "stripe-resume-membership": "member",
  "stripe-withdraw": "member",
  "stripe-create-setup-intent": "member",
  "stripe-create-subscription-direct": "member",
  "stripe-preview-code": "member",
  "stripe-preview-plan-change": "member",
  "stripe-uncancel-subscription": "member",
  "stripe-update-card": "member",
  "stripe-webhook": "provider",
  "use-recovery-code": "member",
  unsubscribe: "visitor",
  "verify-certificate": "visitor",
};
const named = (kind: string) =>
  Object.keys(callerByFunction).filter((name) => callerByFunction[name] === kind);

/** A signed token that expires in `hours`, negative for an expired one. */
async function token(claims: Record<string, unknown>, secret?: string, hours = 1): Promise<string> {
  return await new SignJWT({ aud: "authenticated", role: "authenticated", ...claims })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setExpirationTime(Math.floor(Date.now() / 1000) + hours * 3600)
    .sign(new TextEncoder().encode(secret ?? inject("host").jwtSecret));
}

async function tokenOf({ client }: Account): Promise<string> {
  return (await client.auth.getSession()).data.session?.access_token ?? "";
}

async function call(name: string, bearer: string | undefined): Promise<Response> {
  return await fetch(`${inject("host").url}/functions/v1/${name}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: "{}",
  });
}

/** Tokens that are not a member's, by what is wrong with them. */
const refused = new Map<string, string | undefined>();
let member = "";

beforeAll(async () => {
  const { anonKey, publishableKey, serviceRoleKey, secretKey } = inject("host");
  const account = await signUp();
  member = await tokenOf(account);
  const { session_id: session } = JSON.parse(atob(member.split(".")[1] ?? "")) as {
    session_id: string;
  };
  const sub = account.id;
  const anonymous = await signUp();
  await owner.query("update auth.users set is_anonymous = true where id = $1", [anonymous.id]);
  const promoted = await signUp();
  await owner.query("update auth.users set role = 'service_role' where id = $1", [promoted.id]);
  const gone = await signUp();
  const ended = await tokenOf(gone);
  await gone.client.auth.signOut();
  for (const [what, bearer] of Object.entries({
    "no token": undefined,
    "no JWT": "nonsense",
    "an empty JWT": "a.b.c",
    "the anon key": anonKey,
    "the publishable key": publishableKey,
    "a token signed by another": await token({ sub, session_id: session }, "y".repeat(40)),
    "an expired token": await token({ sub, session_id: session }, undefined, -1),
    "a token without a subject": await token({}),
    "a token of the anon role": await token({ role: "anon" }),
    "the token of a session that ended": ended,
    "an anonymous account": await tokenOf(anonymous),
    "an account of another database role": await tokenOf(promoted),
  })) {
    refused.set(what, bearer);
  }
  refused.set("the service-role key", serviceRoleKey);
  refused.set("the secret key", secretKey);
});

describe("the platform's own check of tokens", () => {
  it("is off for every function, and each function's callers are listed here", async () => {
    const folder = join(projectRoot, "supabase", "functions");
    const names = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
      .map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.keys(callerByFunction).toSorted());
    const project = await openProject(projectRoot);
    for (const name of names) {
      // The platform checks with the legacy secret only, which refuses members of projects with asymmetric keys.
      expect(settingsAt(project, `functions.${name}`), name).toMatchObject({
        verify_jwt: false,
        import_map: "./functions/deno.json",
      });
    }
  });
});

describe.each(named("member"))("%s", (name) => {
  it("refuses every token but a member's", async () => {
    for (const [what, bearer] of refused) {
      const answer = await call(name, bearer);
      expect([answer.status, await answer.json()], what).toMatchObject([
        401,
        { code: "unauthorized" },
      ]);
    }
  });

  // 404 where the member has no subscription to change, 409 where there is nothing to withdraw from.
  it("accepts a member", async () => {
    const answer = await call(name, member);
    expect([200, 400, 404, 409]).toContain(answer.status);
  });
});

describe.each(named("administrator"))("%s", (name) => {
  it("refuses every token but an administrator's with a second factor", async () => {
    for (const [what, bearer] of refused) {
      expect((await call(name, bearer)).status, what).toBe(401);
    }
    const plain = await tokenOf(await plainAdministrator());
    for (const [bearer, code] of [
      [member, "FF002"],
      [plain, "admin_second_factor_due"],
    ] as const) {
      const answer = await call(name, bearer);
      expect([answer.status, await answer.json()]).toMatchObject([403, { code }]);
    }
  });

  it("accepts an administrator", async () => {
    // 400 where the call needs more than an empty body.
    expect([200, 400]).toContain((await call(name, await tokenOf(await administrator()))).status);
  });
});

describe.each(named("scheduler"))("%s", (name) => {
  it("refuses every key but the server role's", async () => {
    const { serviceRoleKey, secretKey } = inject("host");
    const others = new Map(refused)
      .set("a member", member)
      .set("most of the key", secretKey.slice(0, -1))
      .set("more than the key", `${secretKey}x`)
      .set("both keys", `${secretKey},${serviceRoleKey}`)
      .set("a token of the service role", await token({ role: "service_role" }));
    others.delete("the service-role key");
    others.delete("the secret key");
    for (const [what, bearer] of others) {
      const answer = await call(name, bearer);
      expect([answer.status, await answer.json()], what).toMatchObject([
        403,
        { code: "forbidden" },
      ]);
    }
  });

  it("accepts both keys of the server role", async () => {
    const { serviceRoleKey, secretKey } = inject("host");
    expect((await call(name, serviceRoleKey)).status).toBe(200);
    expect((await call(name, secretKey)).status).toBe(200);
  });
});

it("stripe-webhook does not accept a token instead of a signature", async () => {
  for (const [what, bearer] of new Map(refused).set("a member", member)) {
    expect((await call("stripe-webhook", bearer)).status, what).toBe(400);
  }
});

describe("a schedule's own secret", () => {
  const secret = "s".repeat(32);
  const sweep = async (bearer: string, env: Record<string, string>) => {
    const { url, secretKey } = inject("host");
    const request = new Request("http://127.0.0.1/expire-room-leases", {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}` },
    });
    const keys = {
      SUPABASE_URL: url,
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }),
    };
    return (await handleSweep(request, { env: { ...keys, ...env } })).status;
  };

  it("is accepted by scheduled functions when the deployment sets one", async () => {
    expect(await sweep(secret, { SCHEDULE_SECRET: secret })).toBe(200);
    expect(await sweep(`${secret}s`, { SCHEDULE_SECRET: secret })).toBe(403);
    expect(await sweep(secret, {})).toBe(403);
    expect(await sweep("", { SCHEDULE_SECRET: "" })).toBe(403);
  });

  it("is refused when it is too short", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    expect(await sweep("short", { SCHEDULE_SECRET: "short" })).toBe(500);
    expect(log).toHaveBeenCalledWith(expect.stringContaining("SCHEDULE_SECRET has fewer than 32"));
    log.mockRestore();
  });
});
