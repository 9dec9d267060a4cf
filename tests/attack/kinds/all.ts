import type { AttackKind } from "../attack-kind.ts";
import { badFilters } from "./bad-filters.ts";
import { broadcastFlood } from "./broadcast-flood.ts";
import { brokenConnections } from "./broken-connections.ts";
import { distinctStatements } from "./distinct-statements.ts";
import { directoryReading } from "./directory-reading.ts";
import { functionCalls } from "./function-calls.ts";
import { heavyDrafts } from "./heavy-drafts.ts";
import { heavyMarkdown } from "./heavy-markdown.ts";
import { hostileFiles } from "./hostile-files.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { largeAnswers } from "./large-answers.ts";
import { presenceFlood } from "./presence-flood.ts";
import { regularExpressions } from "./regular-expressions.ts";
import { twoHosts } from "./two-hosts.ts";

export const attackKinds: readonly AttackKind[] = [
  brokenConnections,
  largeAnswers,
  presenceFlood,
  regularExpressions,
  distinctStatements,
  badFilters,
  functionCalls,
  broadcastFlood,
  hostileFiles,
  heavyMarkdown,
  heavyDrafts,
  hostileTexts,
  twoHosts,
  directoryReading,
];
