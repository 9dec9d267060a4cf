import * as z from "zod/mini";

/**
 * A list of the server's whose items may hold values that a later release added. An item with a choice this tab does
 * not know is left out; any other mistake in its shape fails as in `z.array`.
 */
export function knownItems<Item extends z.ZodMiniType>(item: Item) {
  return z.pipe(
    z.array(z.unknown()),
    z.transform((items, context): z.output<Item>[] =>
      items.flatMap((each, index) => {
        const read = item.safeParse(each);
        if (read.success) return [read.data];
        if (read.error.issues.every((issue) => isUnknownChoice(each, issue))) return [];
        context.issues.push({
          code: "custom",
          input: each,
          message: z.prettifyError(read.error),
          path: [index],
        });
        return [];
      }),
    ),
  );
}

/** True when a text stands where another of some was expected, also where it decides between shapes. */
function isUnknownChoice(item: unknown, { code, path }: z.core.$ZodIssue): boolean {
  if (code !== "invalid_value" && code !== "invalid_union") return false;
  return typeof path.reduce(memberOf, item) === "string";
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** One value of an answer, and what stands for it when this release does not know it. */
export { catch as knownOr } from "zod/mini";
