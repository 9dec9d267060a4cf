import { expect, test } from "vitest";
import { matchDestinations } from "./destinations.ts";

test("pages are found by words with or without case, accents and apostrophes", () => {
  const pages = [
    { label: "O’Brien’s Café", path: "/cafe", keywords: "Übung  maß" },
    { label: "Caffeine", path: "/caffeine" },
  ];
  const paths = (query: string) => matchDestinations(pages, query).map(({ path }) => path);
  for (const query of [
    "café",
    "CAFE",
    "cafe\u0301 ubung",
    "o'brien",
    "obrien",
    "MASS",
    "übung\u00A0café",
  ]) {
    expect(paths(query), query).toEqual(["/cafe"]);
  }
  expect(paths("caff")).toEqual(["/caffeine"]);
  expect(paths(" ")).toEqual(["/cafe", "/caffeine"]);
});
