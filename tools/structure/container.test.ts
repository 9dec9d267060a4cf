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
  const service = z.looseObject({ environment: z.record(z.string(), z.string()).optional() });
  const { services, volumes } = z
    .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.unknown()) })
    .parse(parse(textOf("compose.yaml")));

  it("gives the product settings that it has", () => {
    const names = Object.keys(services["product"]?.environment ?? {});
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !settings.has(name))).toEqual([]);
  });

  it("keeps data in volumes that it names", () => {
    const used = Object.values(services).flatMap((each) =>
      z.array(z.string()).catch([]).parse(each["volumes"]),
    );
    expect(used.map((mount) => mount.split(":", 1).join()).toSorted()).toEqual(
      Object.keys(volumes).toSorted(),
    );
  });
});
