import { invalidRequest } from "../api-errors.ts";

type FormValue = string | FormValue[] | { [key: string]: FormValue };
export type FormObject = { [key: string]: FormValue };

const maxPairs = 1000;
const maxNesting = 8;

type Node = Map<string, string | Node>;

/**
 * Parses a form body or query with bracketed names (`items[0][price]=…`, `expand[]=…`) into objects and lists.
 * @throws {StripeApiError} 400 for contradicting names or too deep nesting.
 */
export function parseForm(text: string): FormObject {
  const root: Node = new Map();
  let pairs = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    pairs += 1;
    if (pairs > maxPairs) throw invalidRequest("The request has too many parameters.");
    place(root, segmentsOf(name), value, name);
  }
  return objectFrom(root);
}

function segmentsOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!match?.[1]) throw invalidRequest(`Invalid parameter name: ${name.slice(0, 100)}`);
  const inner = [...(match[2] ?? "").matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? "");
  const segments = [match[1], ...inner];
  if (segments.length > maxNesting)
    throw invalidRequest(`Parameters are nested too deeply: ${match[1]}`);
  if (segments.some((segment) => /^(?:__proto__|constructor|prototype)$/.test(segment))) {
    throw invalidRequest(`Received unknown parameter: ${match[1]}`, match[1], "parameter_unknown");
  }
  return segments;
}

function place(root: Node, segments: string[], value: string, name: string): void {
  let node = root;
  for (const [depth, segment] of segments.entries()) {
    const key = segment === "" ? String(node.size) : segment;
    const existing = node.get(key);
    if (depth === segments.length - 1) {
      if (existing instanceof Map) throw invalidRequest(`Invalid object: ${name}`, segments[0]);
      node.set(key, value);
    } else if (existing === undefined) {
      const child: Node = new Map();
      node.set(key, child);
      node = child;
    } else if (existing instanceof Map) {
      node = existing;
    } else {
      throw invalidRequest(`Invalid object: ${name}`, segments[0]);
    }
  }
}

function objectFrom(node: Node): FormObject {
  const object: FormObject = {};
  for (const [key, value] of node) object[key] = valueFrom(value);
  return object;
}

function valueFrom(value: string | Node): FormValue {
  if (typeof value === "string") return value;
  const keys = [...value.keys()];
  if (!keys.every((key) => /^\d{1,4}$/.test(key))) return objectFrom(value);
  return keys
    .sort((left, right) => Number(left) - Number(right))
    .map((key) => valueFrom(value.get(key) ?? ""));
}
