import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const root = new URL("../../", import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), "utf8");
const scripts = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(textOf("package.json"))).scripts;
const settings = new Set(
  [...textOf(".env.example").matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name),
);

/** The instructions of the Dockerfile, each on one line. */
const instructions = textOf("Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line.trim() !== "");
const of = (name: string) => instructions.filter((line) => line.startsWith(`${name} `));

describe("the image", () => {
  it("copies files that are there", () => {
    const sources = of("COPY")
      .filter((line) => !line.includes("--from="))
      .flatMap((line) => line.split(/\s+/).slice(1, -1));
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  it("runs scripts that are there", () => {
    const named = instructions.flatMap((line) => [...line.matchAll(/npm run (\S+)/g)]);
    expect(named.map(([, name = ""]) => name).filter((name) => !(name in scripts))).toEqual([]);
    const files = instructions.flatMap((line) => [...line.matchAll(/"(tools\/[^"]+)"/g)]);
    expect(files.map(([, path = ""]) => path)).toEqual(["tools/is-ready.mjs", "tools/start.mjs"]);
    for (const [, path = ""] of files) expect(existsSync(new URL(path, root)), path).toBe(true);
  });

  it("leaves out what holds secrets, and does not run as root", () => {
    const ignored = textOf(".dockerignore").split("\n");
    expect(ignored).toEqual(expect.arrayContaining([".env", ".git", "data", "signing_keys.json"]));
    expect(instructions.findIndex((line) => line === "USER fourfold")).toBeLessThan(
      instructions.findIndex((line) => line.startsWith("CMD ")),
    );
  });

  it("sets variables that the product, npm or Node.js reads", () => {
    const set = of("ENV").flatMap((line) => [...line.matchAll(/\b([A-Z_]+)=/g)]);
    const known = ["NPM_CONFIG_OMIT", "NODE_ENV", "NODE_COMPILE_CACHE"];
    const names = set.map(([, name = ""]) => name);
    expect(names.filter((name) => !settings.has(name) && !known.includes(name))).toEqual([]);
  });
});

describe("compose.yaml", () => {
  const service = z.looseObject({
    image: z.string().optional(),
    environment: z.record(z.string(), z.string()).default({}),
    profiles: z.array(z.string()).default([]),
    volumes: z.array(z.string()).default([]),
    ports: z.array(z.string()).default([]),
    entrypoint: z.array(z.string()).optional(),
    healthcheck: z.object({ test: z.array(z.string()).min(2) }).optional(),
  });
  const { services, volumes } = z
    .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.unknown()) })
    .parse(parse(textOf("compose.yaml"), { merge: true }));
  const hosts = ["product", "second"];

  it("gives the product settings that it has", () => {
    for (const host of hosts) {
      const names = Object.keys(services[host]?.environment ?? {});
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !settings.has(name))).toEqual([]);
    }
  });

  it("starts the product, its database and the proxy, and more only where it is asked for", () => {
    const asked = Object.entries(services).map(([name, { profiles }]) => [name, profiles.join()]);
    expect(Object.fromEntries(asked)).toEqual({
      product: "",
      database: "",
      proxy: "",
      second: "second",
      files: "bucket",
      redis: "redis",
    });
  });

  it("keeps data in volumes that it names, and none of two hosts in one", () => {
    const used = Object.values(services)
      .flatMap((each) => each.volumes.map((mount) => mount.split(":", 1).join()))
      .filter((source) => !source.startsWith("./"));
    expect(used.toSorted()).toEqual(Object.keys(volumes).toSorted());
    for (const file of Object.values(services).flatMap((each) =>
      each.volumes.filter((mount) => mount.startsWith("./")),
    )) {
      expect(existsSync(new URL(file.split(":", 1).join(), root)), file).toBe(true);
    }
  });

  it("looks after the health of everything: of the product by its image", () => {
    const checked = Object.entries(services).filter(([name]) => !hosts.includes(name));
    expect(checked.filter(([, each]) => each.healthcheck === undefined)).toEqual([]);
    expect(of("HEALTHCHECK")).toHaveLength(1);
  });

  it("opens the proxy's ports to the outside and no others", () => {
    const open = Object.entries(services).filter(([, each]) => each.ports.length > 0);
    expect(open.map(([name]) => name)).toEqual(["proxy"]);
  });

  it("names a version of every image", () => {
    for (const { image } of Object.values(services)) {
      expect(image).toMatch(/^fourfold$|^[a-z/]+:\d[\w.-]*$/);
    }
  });

  it("has no password of its own", () => {
    const text = textOf("compose.yaml");
    const given = [...text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET|KEY|TOKEN)\w*)([^}]*)\}/g)]
      // Braces with two signs are the shell's, in the container.
      .filter(({ index }) => text[index - 1] !== "$")
      .map(([, name = "", rule = ""]) => [name, rule]);
    expect(given.length).toBeGreaterThan(4);
    expect(given.filter(([, rule]) => rule !== ":?" && rule !== ":-")).toEqual([]);
  });

  it.each([
    ["files", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "S3_BUCKET"]],
    ["redis", ["REDIS_PASSWORD"]],
  ])("starts no %s that everyone may use", (name, secrets) => {
    const [shell = "", ...args] = (services[name]?.entrypoint ?? []).map((each) =>
      each.replaceAll("$$", "$"),
    );
    const all = Object.fromEntries(secrets.map((secret) => [secret, "a-value"]));
    const run = (env: Record<string, string>) =>
      spawnSync(shell, args, { env: { PATH: "/nowhere", ...env }, encoding: "utf8" });
    // Where nothing is missing, the shell looks for the program, which this machine does not have there.
    expect(run(all).status).toBe(127);
    for (const secret of secrets) {
      const refused = run({ ...all, [secret]: "" });
      expect(refused.status).not.toBe(127);
      expect(refused.stderr).toContain("is not set");
    }
  });
});
