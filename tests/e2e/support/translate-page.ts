import type { Page } from "@playwright/test";

/**
 * Treats every page as a browser's translation does: each text is replaced by an element of its own with other words,
 * also what appears later. Fields, code and what says `translate="no"` stay.
 */
export async function translatePage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const untouched =
      "script, style, textarea, noscript, font, [contenteditable=true], [translate=no]";
    const translate = (text: Text) => {
      if (text.data.trim() === "" || text.parentElement?.closest(untouched) !== null) return;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = text.data.replace(/[a-z]/, "ü");
      outer.append(inner);
      text.replaceWith(outer);
    };
    const translateBelow = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      texts.forEach(translate);
    };
    const watcher = new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === "characterData") translate(target as Text);
        for (const node of addedNodes) {
          if (node instanceof Text) translate(node);
          else translateBelow(node);
        }
      }
    });
    document.addEventListener("DOMContentLoaded", () => {
      translateBelow(document.body);
      watcher.observe(document.body, { childList: true, subtree: true, characterData: true });
    });
  });
}
