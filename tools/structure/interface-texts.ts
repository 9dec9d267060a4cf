import { parseSync } from "vite";
import type { SourceFile } from "./source-files.ts";

/** A text that stands where it is shown instead of in `strings.ts`. */
export interface StrayText {
  path: string;
  line: number;
  text: string;
}

/** Props whose value is read by a member, whatever it looks like. */
const readProps = new Set([
  "alt",
  "aria-label",
  "cancelLabel",
  "caption",
  "confirmLabel",
  "description",
  "emptyText",
  "header",
  "heading",
  "hint",
  "intro",
  "label",
  "legend",
  "message",
  "placeholder",
  "purpose",
  "submitLabel",
  "summary",
  "title",
]);

/** Props and keys whose value looks like a sentence and is none. */
const codeProps = /^(aria-keyshortcuts|class|className|d|fontFamily|id|sizes|viewBox|data-.*)$/;

const word = /\p{L}{2,}/u;

/** Stands for a value in a template. */
const hole = "…";

/** Two words or more, or one with a value, that begin like a sentence or end like one; but the authorization of a request. */
function isSentence(text: string): boolean {
  if (text.startsWith("Bearer ")) return false;
  const parts = text.split(/\s+/).filter((part) => word.test(part) || part.includes(hole));
  return parts.length > 1 && word.test(text) && /^\s*[“‘"]?[A-Z]|[.!?…]$/.test(text);
}

type Node = Readonly<Record<string, unknown>>;

/**
 * The texts of a component, model or hook that a member would read, in their order. Sentences are found wherever they stand; single words
 * only as the content of an element and in the props of `readProps`. Errors for developers and console messages are none.
 * @throws Error when the file is no TypeScript
 */
export function strayTexts({ path, text: source }: SourceFile): StrayText[] {
  const found: StrayText[] = [];
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`);

  const add = ({ start }: Node, text: string) => {
    const line = source.slice(0, Number(start)).split("\n").length;
    found.push({ path, line, text: text.replaceAll(/\s+/g, " ").trim() });
  };
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    else if (typeof value === "object" && value !== null) visitNode(value as Node);
  };
  const visitNode = (node: Node) => {
    if (isForDevelopers(node)) return;
    const { type, value } = node;
    if (type === "JSXText" && word.test(String(value))) add(node, String(value));
    else if (isReadProp(node)) add(node, String((value as Node)["value"]));
    else if (type === "Literal" && typeof value === "string" && isSentence(value)) {
      add(node, value);
    } else if (type === "TemplateLiteral" && isSentence(templateText(node))) {
      add(node, templateText(node));
    } else for (const each of Object.values(node)) visit(each);
  };
  visit(program.body);
  return found;
}

/** Types, imports, thrown errors, console messages, and props or keys that hold code. */
function isForDevelopers({ type, source, callee, name, key }: Node): boolean {
  if (type === "TSLiteralType" || (source !== undefined && source !== null)) return true;
  const { name: called, object } = (callee ?? {}) as { name?: string; object?: Node };
  if (type === "NewExpression") return called?.endsWith("Error") === true;
  if (type === "CallExpression") return object?.["name"] === "console";
  if (type !== "JSXAttribute" && type !== "Property") return false;
  return codeProps.test(String(((name ?? key) as Node)["name"]));
}

function isReadProp({ type, name, key, value }: Node): boolean {
  if (type !== "JSXAttribute" && type !== "Property") return false;
  const { type: kind, value: text } = (value ?? {}) as Node;
  if (kind !== "Literal" || typeof text !== "string") return false;
  const prop = String(((name ?? key) as Node)["name"]);
  return readProps.has(prop) && (type === "Property" ? /^[A-Z]/.test(text) : word.test(text));
}

function templateText({ quasis }: Node): string {
  return (quasis as readonly { value: { cooked: string } }[])
    .map(({ value }) => value.cooked)
    .join(hole);
}
