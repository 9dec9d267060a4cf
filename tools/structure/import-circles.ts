import { importsOf } from "./import-rules.ts";
import type { SourceFile } from "./source-files.ts";

type Graph = ReadonlyMap<string, readonly string[]>;

/** The graph without files that import no other file of it, over and over: what stays leads to a circle. */
function withoutEnds(graph: Graph): Graph {
  const kept = [...graph].flatMap(([path, targets]) => {
    const left = targets.filter((target) => graph.has(target));
    return left.length === 0 ? [] : [[path, left] as const];
  });
  return kept.length === graph.size ? graph : withoutEnds(new Map(kept));
}

/** Every file that is reached from one by one import or more. */
function reachedFrom(graph: Graph, start: string): ReadonlySet<string> {
  const reached = new Set(graph.get(start));
  // A set visits what is added to it on the way.
  for (const path of reached) for (const target of graph.get(path) ?? []) reached.add(target);
  return reached;
}

/** Groups of files that import each other, directly or through others, sorted. Imports of types count as well. */
export function importCircles(files: readonly SourceFile[]): string[][] {
  const paths = new Set(files.map(({ path }) => path));
  const graph = withoutEnds(
    new Map(files.map((file) => [file.path, importsOf(file).filter((to) => paths.has(to))])),
  );
  const reached = new Map([...graph.keys()].map((path) => [path, reachedFrom(graph, path)]));
  const circles = [...graph.keys()].map((path) =>
    [...(reached.get(path) ?? [])].filter((other) => reached.get(other)?.has(path)).toSorted(),
  );
  const found = new Map(circles.map((circle) => [circle.join(" "), circle]));
  return [...found.values()].filter((circle) => circle.length > 0);
}
