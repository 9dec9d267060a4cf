import type { AttackKind } from "../attack-kind.ts";
import { badFilters } from "./bad-filters.ts";
import { broadcastFlood } from "./broadcast-flood.ts";
import { brokenConnections } from "./broken-connections.ts";
import { distinctStatements } from "./distinct-statements.ts";
import { functionCalls } from "./function-calls.ts";
import { largeAnswers } from "./large-answers.ts";
import { presenceFlood } from "./presence-flood.ts";
import { regularExpressions } from "./regular-expressions.ts";

export const attackKinds: readonly AttackKind[] = [
  brokenConnections,
  largeAnswers,
  presenceFlood,
  regularExpressions,
  distinctStatements,
  badFilters,
  functionCalls,
  broadcastFlood,
];
