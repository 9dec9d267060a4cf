import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

const typescript = path.dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
const installedModules = path.dirname(typescript);

/** A value that is said to be of a type of the official library. */
export interface TypedValue {
  /** What it is called in messages. */
  name: string;
  /** Written in TypeScript: `Stripe.…`, `Answer<method>` or `RawError`. */
  type: string;
  value: unknown;
}

const opening = `import type Stripe from "stripe";
type Answer<Method> = Method extends (...given: never[]) => infer Result ? Awaited<Result> : never;
type RawError = NonNullable<ConstructorParameters<typeof Stripe.errors.StripeError>[0]>;
declare const decimal: Stripe.Decimal;
declare const response: never;
`;

const config = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: "nodenext",
    target: "es2024",
    types: ["node"],
    skipLibCheck: true,
    noEmit: true,
  },
  files: ["answers.mts"],
};

/**
 * Writes each value as a literal of its type and has TypeScript's own compiler check them, by the types of the installed
 * `stripe`: missing and unknown fields, and values no field may have.
 * @returns a message for each mistake, beginning with the value's name.
 */
export async function typeErrors(values: TypedValue[]): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "type-errors-"));
  try {
    await layClosedTypes(path.join(folder, "node_modules"));
    await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(config));
    const lines = values.map((given, place) => {
      return `export const value${place}: ${given.type} = ${literalOf(given)};\n`;
    });
    await writeFile(path.join(folder, "answers.mts"), opening + lines.join(""));
    return messagesOf(await compile(folder), values);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Copies the types of `stripe`. Where they say "or another text, that a later version of the API may add", a sandbox of this
 * version has no other.
 */
async function layClosedTypes(modules: string): Promise<void> {
  const [installed, closed] = [path.join(installedModules, "stripe"), path.join(modules, "stripe")];
  await mkdir(modules);
  await symlink(path.join(installedModules, "@types"), path.join(modules, "@types"));
  await cp(path.join(installed, "package.json"), path.join(closed, "package.json"));
  await cp(path.join(installed, "esm"), path.join(closed, "esm"), {
    recursive: true,
    filter: (file) => path.extname(file) === "" || file.endsWith(".json") || file.endsWith(".d.ts"),
  });
  const shared = path.join(closed, "esm/shared.d.ts");
  const types = await readFile(shared, "utf8");
  const others = /(?<=export type OtherString = )[^;]+/;
  if (!others.test(types)) throw new Error("stripe says in another place that a text is open");
  await writeFile(shared, types.replace(others, "never"));
}

/** True for exact amounts: texts on the wire, of which the library makes objects in most places, but not in all. */
export function isExactAmount(key: string, value: unknown): boolean {
  return typeof value === "string"
    ? key.endsWith("_decimal") && /^-?\d+(?:\.\d+)?$/.test(value)
    : typeof value === "object" && value !== null && "toJSON" in value;
}

/** One line of TypeScript. Exact amounts are objects of the library, and each answer carries its response. */
function literalOf({ type, value }: TypedValue): string {
  const json = JSON.stringify(value, function (this: Record<string, unknown>, key, plain: unknown) {
    return isExactAmount(key, this[key]) ? "\u{1}" : plain;
  });
  const literal = json.replaceAll('"\\u0001"', "decimal");
  return type.startsWith("Answer") ? literal.replace("{", '{"lastResponse":response,') : literal;
}

async function compile(folder: string): Promise<string> {
  return await new Promise((resolve) => {
    const given = [path.join(typescript, "bin/tsc"), "--pretty", "false", "-p", folder];
    execFile(process.execPath, given, { cwd: folder, maxBuffer: 1e8 }, (_, printed) => {
      resolve(printed);
    });
  });
}

/** The compiler's messages: each begins with a place in the file, and goes on in indented lines. */
function messagesOf(printed: string, values: TypedValue[]): string[] {
  const firstLine = opening.split("\n").length;
  return printed
    .trim()
    .split(/\n(?! )/)
    .filter((message) => message !== "")
    .map((message) => {
      const line = Number(/^answers\.mts\((\d+),/.exec(message)?.[1] ?? 0);
      return `${values[line - firstLine]?.name ?? "the program"}: ${message}`;
    });
}
