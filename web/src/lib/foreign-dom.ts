/**
 * A browser's translation and some extensions put elements of their own in place of the page's text. React does not know
 * them: removing or inserting beside such a text throws `NotFoundError`, and the whole page goes; what it writes into the
 * text, or removes, would not be seen. https://github.com/facebook/react/issues/11538
 */

/** The child of `parent` that `node` stands in, when something was wrapped around it. */
function childHolding(parent: Node, node: Node | undefined): Node | null {
  let each: Node | null = node ?? null;
  while (each !== null && each.parentNode !== parent) each = each.parentNode;
  return each;
}

/** What another program put in the place of the page's texts. */
interface Replacements {
  readonly of: (text: Node) => Node | undefined;
  readonly stop: () => void;
}

/**
 * Watches for texts that are replaced by an element, in one step, or in two: the element beside it, then the text away. React
 * itself does neither. A replaced text that is written to is put back, for the other program to replace it again.
 */
function watchReplacements(page: Node): Replacements {
  const replacements = new WeakMap<Node, Element>();

  function note(text: Node, by: Node | null | undefined): void {
    if (!(text instanceof Text) || !(by instanceof Element)) return;
    replacements.set(text, by);
    observer.observe(text, { characterData: true });
  }

  function read(records: readonly MutationRecord[]): void {
    const added = new Set<Node>();
    for (const {
      type,
      target,
      addedNodes,
      removedNodes,
      previousSibling,
      nextSibling,
    } of records) {
      if (type === "characterData") {
        if (!target.isConnected) replacements.get(target)?.replaceWith(target);
        continue;
      }
      // An editor's text is the editor's business.
      if (target instanceof HTMLElement && target.isContentEditable) continue;
      for (const node of addedNodes) added.add(node);
      const [text] = removedNodes;
      if (removedNodes.length !== 1 || text === undefined) continue;
      if (addedNodes.length > 0) note(text, addedNodes[0]);
      else
        note(
          text,
          [previousSibling, nextSibling].find((each) => each && added.has(each)),
        );
    }
  }

  const observer = new MutationObserver(read);
  observer.observe(page, { childList: true, subtree: true });
  return {
    of: (text) => {
      read(observer.takeRecords());
      return replacements.get(text);
    },
    stop: () => observer.disconnect(),
  };
}

/**
 * Makes React's changes reach texts that stand somewhere else or that something else stands for: what is removed goes with
 * its replacement, what is inserted comes before it, and what is written shows. Call it before React draws anything.
 * @param prototype of the nodes, `Node.prototype` of the page.
 * @returns what stops watching; the prototype stays as it is.
 */
export function tolerateForeignDom(prototype: Node, page: Node): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- Called with the node they are asked of, below.
  const { removeChild, insertBefore } = prototype;
  const replacements = watchReplacements(page);
  const placeOf = (parent: Node, node: Node) =>
    childHolding(parent, node) ?? childHolding(parent, replacements.of(node));
  prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    const place = placeOf(this, child);
    if (place !== null) removeChild.call(this, place);
    return child;
  };
  prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    const place = before === null || before.parentNode === this ? before : placeOf(this, before);
    return insertBefore.call(this, node, place) as T;
  };
  return replacements.stop;
}
