import { parseAst } from "vite";

/** A module of the build as the bundler tells of it. */
export interface BuiltModule {
  /** JavaScript, without types. */
  readonly code: string;
  /** What it imports, each once, in the order of its statements. */
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
}

/** What a feature shows the others. It only passes names on, and the build leaves it out. */
export const featureIndex = /\/web\/src\/features\/[^/]+\/index\.ts$/;

const isLeftOut = (id: string) => featureIndex.test(id) || id.includes("/node_modules/");

/** What each module of the build runs with, and what it asks for later. */
export type ModuleGraph = ReadonlyMap<
  string,
  { readonly imports: readonly string[]; readonly dynamicImports: readonly string[] }
>;

/** A name that a module takes from another; null takes all of it. */
interface Taken {
  readonly from: string;
  readonly name: string | null;
}

interface Parsed {
  readonly taken: readonly Taken[];
  /** For a module that only passes on what others export: where each name comes from. Null for all others. */
  readonly passed: ReadonlyMap<string, Taken> | null;
  /** What such a module passes on whole. */
  readonly passedWhole: readonly string[];
}

type Statement = ReturnType<typeof parseAst>["body"][number];
type Named = { readonly type: string; readonly name?: string; readonly value?: unknown };

const nameOf = (node: Named) => node.name ?? String(node.value);

const sourceOf = (statement: Statement): string | null =>
  "source" in statement && statement.source !== null ? statement.source.value : null;

/** Such as `"use strict"`, with which the entries of many packages begin. */
const isDirective = (statement: Statement) =>
  statement.type === "ExpressionStatement" && "directive" in statement;

function parse({ code, imports }: BuiltModule): Parsed {
  const { body } = parseAst(code);
  const sources = [...new Set(body.map(sourceOf).filter((source) => source !== null))];
  const idOf = (source: string) => imports[sources.indexOf(source)] ?? "";
  const local = new Map<string, Taken>();
  const passed = new Map<string, Taken>();
  const passedWhole: string[] = [];
  let passesOnly = true;
  for (const statement of body) {
    const source = sourceOf(statement);
    if (statement.type === "ImportDeclaration") {
      for (const each of statement.specifiers) {
        const name =
          each.type === "ImportSpecifier"
            ? nameOf(each.imported)
            : each.type === "ImportDefaultSpecifier"
              ? "default"
              : null;
        local.set(each.local.name, { from: idOf(source ?? ""), name });
      }
      if (statement.specifiers.length === 0) passesOnly = false;
    } else if (statement.type === "ExportAllDeclaration") {
      if (statement.exported === null) passedWhole.push(idOf(source ?? ""));
      else passed.set(nameOf(statement.exported), { from: idOf(source ?? ""), name: null });
    } else if (statement.type === "ExportNamedDeclaration" && statement.declaration === null) {
      for (const each of statement.specifiers) {
        const taken =
          source === null
            ? local.get(nameOf(each.local))
            : { from: idOf(source), name: nameOf(each.local) };
        if (taken === undefined) passesOnly = false;
        else passed.set(nameOf(each.exported), taken);
      }
    } else if (!isDirective(statement)) passesOnly = false;
  }
  const bare = body.flatMap((each) =>
    each.type === "ImportDeclaration" && each.specifiers.length === 0
      ? [idOf(each.source.value)]
      : [],
  );
  // What has no statement comes last: a helper of the bundler, and what is required.
  const others = imports.slice(sources.length);
  const taken = [
    ...local.values(),
    ...passed.values(),
    ...whole([...bare, ...passedWhole, ...others]),
  ];
  return { taken, passed: passesOnly ? passed : null, passedWhole };
}

const whole = (ids: readonly string[]): Taken[] => ids.map((from) => ({ from, name: null }));

/**
 * Who needs whom, by the single name: what a feature's `index.ts` or a package of parts passes on counts for those alone
 * that ask for it, as the bundler leaves the rest out as well.
 */
export function moduleGraph(modules: ReadonlyMap<string, BuiltModule>): ModuleGraph {
  const parsed = new Map([...modules].map(([id, module]) => [id, parse(module)]));
  const origins = ({ from, name }: Taken, seen = new Set<string>()): string[] => {
    const module = parsed.get(from);
    if (name === null || module === undefined || module.passed === null) return [from];
    if (seen.has(from)) return [];
    seen.add(from);
    const passed = module.passed.get(name);
    const beyond =
      passed === undefined
        ? module.passedWhole.flatMap((each) => origins({ from: each, name }, seen))
        : origins(passed, seen);
    return isLeftOut(from) ? beyond : [from, ...beyond];
  };
  return new Map(
    [...modules].map(([id, { dynamicImports }]) => {
      const taken = parsed.get(id)?.taken ?? [];
      const imports = [...new Set(taken.flatMap((each) => origins(each)))];
      return [id, { imports, dynamicImports }];
    }),
  );
}
