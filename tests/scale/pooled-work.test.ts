import { expect, it } from "vitest";
import { pooledProblems } from "./pooled-work.ts";

const fine = {
  requests: 20_000,
  failed: 0,
  mixedUp: 0,
  missed: 0,
  replicaReads: 8000,
  statements: null,
  prepared: 0,
  pooledConnections: 45,
  directConnections: 38,
};

it("lets no request fail or be another's, and no host open more connections than the document says", () => {
  expect(pooledProblems(fine, 2)).toEqual([]);
  expect(
    pooledProblems(
      {
        requests: 20_000,
        failed: 1,
        mixedUp: 2,
        missed: 3,
        replicaReads: 0,
        statements: 900,
        prepared: 100,
        pooledConnections: 46,
        directConnections: 39,
      },
      2,
    ),
  ).toEqual([
    "1 of 20000 requests failed",
    "2 answers were made as another caller",
    "3 changes were missed",
    "the replica answered nothing",
    "100 of 900 statements had to be prepared",
    "the pool had 46 connections",
    "the hosts had 39 connections of their own",
  ]);
  // One that says it keeps them and counts none proves nothing.
  expect(pooledProblems({ ...fine, statements: 0 }, 2)).toEqual(["PgBouncer counted no statement"]);
});
