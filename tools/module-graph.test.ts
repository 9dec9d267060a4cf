import { expect, it } from "vitest";
import { moduleGraph } from "./module-graph.ts";

const module = (code: string, imports: readonly string[] = []) => ({
  code,
  imports,
  dynamicImports: [],
});
const index = "/web/src/features/billing/index.ts";
const parts = "/node_modules/parts/index.js";

it("leads past what a feature passes on to the one module whose name is asked for", () => {
  const graph = moduleGraph(
    new Map([
      [
        "page",
        module('import { usePlan } from "@/features/billing/index.ts"; usePlan();', [index]),
      ],
      [
        index,
        module(
          'export { usePlan } from "./queries.ts"; export { Card as CardField } from "./card.ts";',
          ["queries", "card"],
        ),
      ],
      ["queries", module("export const usePlan = () => 1;")],
      ["card", module("export const Card = () => 2;")],
    ]),
  );
  expect(graph.get("page")?.imports).toEqual(["queries"]);
});

it("leads past the entry of a package that begins with a directive", () => {
  const entry = module(
    '"use strict"; export { default as Lock } from "lock"; export { default as Menu } from "menu";',
    ["lock", "menu"],
  );
  const graph = moduleGraph(
    new Map([
      ["page", module('import { Lock } from "icons"; Lock();', ["/node_modules/icons/index.js"])],
      ["/node_modules/icons/index.js", entry],
      ["lock", module("export default () => 1;")],
      ["menu", module("export default () => 2;")],
    ]),
  );
  expect(graph.get("page")?.imports).toEqual(["lock"]);
});

it("follows names through several modules, renamed, by star and as a namespace", () => {
  const graph = moduleGraph(
    new Map([
      ["page", module('import { Menu, area as zone } from "parts"; Menu(zone);', [parts])],
      [
        parts,
        module(
          'import * as M from "menu"; import { x } from "other"; export { M as Menu, x }; export * from "areas";',
          ["menu", "other", "areas"],
        ),
      ],
      ["areas", module('export { place as area } from "place";', ["place"])],
      ["place", module("export const place = 1;")],
      ["menu", module("export const open = 1;")],
      ["other", module("export const x = 1;")],
    ]),
  );
  // `areas` passes on what is a module of our own with all it may do when it runs, so it counts as well.
  expect(graph.get("page")?.imports).toEqual(["menu", "areas", "place"]);
});

it("counts all of what is taken whole, runs by itself or is required", () => {
  const graph = moduleGraph(
    new Map([
      [
        "page",
        module('import "./style.css"; import * as all from "lib"; all.run();', [
          "style",
          "lib",
          "helper",
        ]),
      ],
      ["lib", module('export { a } from "a"; export { b } from "b";', ["a", "b"])],
      ["old", module('module.exports = require("older");', ["older"])],
    ]),
  );
  expect(graph.get("page")?.imports.toSorted()).toEqual(["helper", "lib", "style"]);
  expect(graph.get("old")?.imports).toEqual(["older"]);
});
