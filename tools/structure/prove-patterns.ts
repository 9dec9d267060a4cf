import { readFileSync } from "node:fs";
import { checkSync } from "recheck";

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

// In this process alone: a program beside it would have to be ended.
process.env["RECHECK_BACKEND"] = "pure";

/** Reads patterns as JSON and writes of each whether its time grows with the length of a text alone: `safe` only then. */
const patterns = JSON.parse(readFileSync(0, "utf8")) as Pattern[];
const statuses = patterns.map(
  ({ source, flags }) => checkSync(source, flags, { checker: "automaton", timeout: 60_000 }).status,
);
process.stdout.write(JSON.stringify(statuses));
