import { expect, it } from "vitest";
import { readArguments } from "./read-arguments.ts";

const read = (line: string) => readArguments(line.split(" ").filter(Boolean));
const none = { redis: false, nginx: false, seconds: undefined };

it.each([
  ["", { ...none, kind: "all" }],
  ["--seconds 30", { ...none, kind: "all", seconds: 30 }],
  ["--short", { ...none, kind: "short" }],
  ["--haproxy --seconds 600", { ...none, kind: "hosts", seconds: 600 }],
  ["--redis --nginx", { ...none, kind: "hosts", redis: true, nginx: true }],
  ["--nginx", { ...none, kind: "hosts", nginx: true }],
  ["--pooler", { ...none, kind: "pooler" }],
  ["--troubles", { ...none, kind: "troubles" }],
  ["--keys", { ...none, kind: "keys" }],
])("takes '%s'", (line, expected) => {
  expect(read(line)).toEqual(expected);
});

it.each(["--short", "--keys", "--troubles"])("refuses seconds, which %s would ignore", (kind) => {
  expect(read(`${kind} --seconds 60`)).toBeUndefined();
});

it.each(["--keys --pooler", "--seconds 29", "--seconds 601", "--seconds x", "--other", "keys"])(
  "refuses '%s'",
  (line) => {
    expect(read(line)).toBeUndefined();
  },
);
