import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { findPromtool } from "../scale/troubles/promtool.ts";
import { startTestProduct } from "../support/backend-setup.ts";
import { projectRoot, spawnProgram } from "../support/spawn-product.ts";
import { newEmail, testPassword } from "../support/test-account.ts";
import { timeLimitMs } from "../support/time-limits.ts";

const token = "a-token-of-monitoring-that-nobody-guesses-4711";

let started: Awaited<ReturnType<typeof startTestProduct>>;
let own = "";
beforeAll(async () => {
  started = await startTestProduct({ METRICS_PORT: "0", METRICS_TOKEN: token });
  own = `http://127.0.0.1:${started.product.host.metricsPort}/metrics`;
});
afterAll(async () => await started.stop());

const query = async (sql: string, values: unknown[] = []) =>
  await started.product.host.context.db.admin.query(sql, values);

async function scrape(): Promise<string> {
  const answer = await fetch(own);
  expect(answer.status).toBe(200);
  return await answer.text();
}

/** The value of a line of `/metrics`; undefined when there is none. */
async function figure(line: string): Promise<number | undefined> {
  const found = (await scrape()).split("\n").find((each) => each.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

/** Waits for a figure, because a scrape is kept for a second. */
const becomes = async (line: string, value: unknown) =>
  await vi.waitFor(async () => expect(await figure(line)).toEqual(value), {
    timeout: timeLimitMs(30),
    interval: 200,
  });

describe("who reads /metrics", () => {
  it("is this machine, on a port of its own", async () => {
    const answer = await fetch(own);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).toContain("nodejs_eventloop_lag_p99_seconds");
  });

  it("is no page that points a name of its own at this machine", async () => {
    const { port } = new URL(own);
    const asked = request({
      host: "127.0.0.1",
      port,
      path: "/metrics",
      headers: { host: "a.test" },
    });
    const [answer] = (await once(asked.end(), "response")) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(403);
  });

  it.each([
    ["no token", {}],
    ["another token", { authorization: "Bearer guessed" }],
    ["the service role's key", undefined],
  ])("is nobody on the site's port with %s", async (_, headers) => {
    const authorization = `Bearer ${started.running.serviceRoleKey}`;
    const answer = await fetch(`${started.running.url}/metrics`, {
      headers: headers ?? { authorization },
    });
    expect(await answer.text()).not.toContain("postgres_up");
  });

  it("is a client with the token there", async () => {
    const answer = await fetch(`${started.running.url}/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("postgres_up 1");
  });
});

/** `/readyz?verbose` as monitoring reads it on this machine. */
async function verbose(url = own.replace("/metrics", ""), headers = {}) {
  const answer = await fetch(`${url}/readyz?verbose`, { headers });
  return (await answer.json()) as {
    status: string;
    checks?: Record<string, { state: string; detail?: string }>;
  };
}

describe("who reads /readyz?verbose", () => {
  const parts = ["card provider", "changes", "database", "disk", "jobs", "mail"];

  it("is this machine and a client with the token", async () => {
    const { status, checks = {} } = await verbose();
    expect([status, Object.keys(checks).toSorted()]).toEqual(["ready", parts]);
    const authorization = `Bearer ${token}`;
    const { checks: onSite = {} } = await verbose(started.running.url, { authorization });
    expect(Object.keys(onSite).toSorted()).toEqual(parts);
  });

  it("is nobody else: the others learn that the host is ready", async () => {
    const { url, serviceRoleKey } = started.running;
    for (const given of ["", "Bearer guessed", `Bearer ${serviceRoleKey}`])
      expect(await verbose(url, { authorization: given })).toEqual({ status: "ready" });
  });
});

it("a request by HTTP/1.0 without a host, as load balancers send, is answered", async () => {
  const { hostname, port } = new URL(started.running.url);
  for (const path of ["/readyz", "/healthz"]) {
    const socket = connect(Number(port), hostname).setEncoding("utf8");
    socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
    const answer = (await socket.toArray()).join("");
    expect(answer).toMatch(/^HTTP\/1\.[01] 200 /);
  }
});

describe("what it says", () => {
  it("counts requests by service and function, and makes no label of what strangers ask for", async () => {
    const { url } = started.running;
    await fetch(`${url}/functions/v1/stripe-webhook`, { method: "POST" });
    await fetch(`${url}/functions/v1/of-a-stranger`, { method: "POST" });
    await fetch(`${url}/rest/v1/of_a_stranger`);
    await fetch(`${url}/of-a-stranger/v1/x`);
    await vi.waitFor(async () => {
      const text = await scrape();
      expect(text).toMatch(
        /count\{route="functions\/stripe-webhook",method="POST",status="400"\} 1/,
      );
      expect(text).toMatch(/count\{route="rest",method="GET",status="401"\} 1/);
      expect(text).not.toContain("stranger");
    }, timeLimitMs(30));
  });

  it("counts sockets as they open and close", async () => {
    await becomes("realtime_sockets", 0);
    const { url, anonKey } = started.running;
    const client = createClient(url, anonKey);
    const channel = client.channel("metrics");
    channel.on("postgres_changes", { event: "*", schema: "public" }, () => undefined).subscribe();
    await becomes("realtime_sockets", 1);
    await vi.waitFor(async () => {
      expect(await scrape()).toMatch(/^postgres_replication_slot_lag_bytes\{slot="\w+"\} \d/m);
    }, timeLimitMs(30));
    await client.removeAllChannels();
    await becomes("realtime_sockets", 0);
  });

  it("tells of mail that waits and mail that was given up", async () => {
    const { url, anonKey } = started.running;
    const credentials = { email: newEmail(), password: testPassword };
    const { data } = await createClient(url, anonKey).auth.signUp(credentials);
    await becomes("emails_failed", 0);
    const before = (await figure("emails_waiting")) ?? 0;
    await query(
      `insert into private.email_outbox (user_id, template, cause_key, status, created_at)
       select $1, (select min(name) from private.email_templates), s, s, now() - interval '1 hour'
       from unnest(array['pending', 'failed']) s`,
      [data.user?.id],
    );
    await becomes("emails_failed", 1);
    expect(await figure("emails_waiting")).toBe(before + 1);
    expect(await figure("emails_oldest_waiting_seconds")).toBeGreaterThanOrEqual(3600);
    await vi.waitFor(async () => {
      const { mail } = (await verbose()).checks ?? {};
      expect(mail).toMatchObject({
        state: "failing",
        detail: expect.stringMatching(/6\d minutes/),
      });
    }, timeLimitMs(30));
  });

  it("tells of an event of the card provider that could not be applied", async () => {
    await becomes("provider_events_failed", 0);
    await query(
      "insert into private.billing_failures (event_id, event_type, last_error) values ('evt_1', 'invoice.paid', 'x')",
    );
    await becomes("provider_events_failed", 1);
    await vi.waitFor(async () => {
      const { status, checks = {} } = await verbose();
      const detail = "events that could not be applied: 1";
      expect(checks["card provider"]).toEqual({ state: "failing", detail });
      expect(status).toBe("ready");
    }, timeLimitMs(30));
  });

  it("tells of the disk, the database and its newest migration", async () => {
    const text = await scrape();
    expect(text).toMatch(/^disk_free_bytes\{folder="data"\} [1-9]/m);
    expect(text).toMatch(/^postgres_max_connections [1-9]/m);
    expect(text).toMatch(/^schema_migration_info\{version="\d{14}"\} 1$/m);
  });
});

it("counts the connections of each pool that are in use", async () => {
  const held = await started.product.host.context.db.joins.connect();
  await becomes('postgres_pool_connections{pool="joins",state="used"}', 1);
  held.release();
  await becomes('postgres_pool_connections{pool="joins",state="used"}', 0);
});

const monitoring = (name: string) =>
  readFileSync(join(projectRoot, "docs", "monitoring", name), "utf8");

/** Names of figures in an expression: words with underscores that are not called. */
const figuresIn = (expression: string) =>
  expression.match(/\b[a-z]+(?:_[a-z0-9]+)+\b(?!\()/g) ?? [];

/** Every expression of the alert rules and of the dashboard. */
function expressions(): string[] {
  const rules = parse(monitoring("alerts.yml")) as { groups: { rules: { expr: string }[] }[] };
  const { panels } = JSON.parse(monitoring("dashboard.json")) as {
    panels: { targets?: { expr: string }[] }[];
  };
  return [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ];
}

it("the alert rules and the dashboard ask for figures that are there", async () => {
  const text = await scrape();
  const given = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  expect(expressions().length).toBeGreaterThan(40);
  const missing = expressions()
    .flatMap(figuresIn)
    .filter((name) => !given.has(name.replace(/_(?:count|bucket)$/, "")) && !given.has(name));
  expect(new Set(missing)).toEqual(new Set());
});

it("every alert has a case that sets it off", () => {
  const rules = parse(monitoring("alerts.yml")) as { groups: { rules: { alert: string }[] }[] };
  const cases = parse(monitoring("alerts.test.yml")) as {
    tests: { alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[] }[];
  };
  const setOff = new Set(
    cases.tests.flatMap(({ alert_rule_test: asked = [] }) =>
      asked.filter(({ exp_alerts: alerts }) => alerts.length > 0).map(({ alertname }) => alertname),
    ),
  );
  const named = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert));
  expect(named.filter((alert) => !setOff.has(alert))).toEqual([]);
});

it("promtool takes the alert rules, and each sets off what its cases say, where promtool is installed", async ({
  skip,
}) => {
  const promtool = await findPromtool();
  if (promtool === undefined) {
    process.stdout.write("promtool over docs/monitoring: left out, because it is not installed\n");
    skip("promtool is not installed");
    return;
  }
  const run = async (...args: string[]) => {
    const checked = spawnProgram(promtool, args, {}, projectRoot);
    return { code: await checked.ended, said: checked.output() };
  };
  expect(await run("check", "rules", "docs/monitoring/alerts.yml")).toEqual({
    code: 0,
    said: expect.stringContaining("rules found") as string,
  });
  expect(await run("test", "rules", "docs/monitoring/alerts.test.yml")).toEqual({
    code: 0,
    said: expect.stringContaining("SUCCESS") as string,
  });
});
