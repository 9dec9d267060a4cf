/**
 * A browser's translation and some extensions put elements of their own in place of the page's text. React does not know
 * them: removing or inserting beside such a text throws `NotFoundError`, and the whole page goes.
 * https://github.com/facebook/react/issues/11538
 */

/** The child of `parent` that `node` stands in, when something was wrapped around it. */
function childHolding(parent: Node, node: Node): Node | null {
  let each: Node | null = node;
  while (each !== null && each.parentNode !== parent) each = each.parentNode;
  return each;
}

/**
 * Makes removing a node that is somewhere else harmless, and inserts before one that is at its place or, when it has
 * none left, at the end. Call it before React draws anything.
 * @param prototype of the nodes, `Node.prototype` of the page.
 */
export function tolerateForeignDom(prototype: Node): void {
  // oxlint-disable-next-line typescript/unbound-method -- Called with the node they are asked of, below.
  const { removeChild, insertBefore } = prototype;
  prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    const holder = childHolding(this, child);
    if (holder !== null) removeChild.call(this, holder);
    return child;
  };
  prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    const place = before === null ? null : childHolding(this, before);
    return insertBefore.call(this, node, place) as T;
  };
}
