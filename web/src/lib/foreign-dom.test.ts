import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tolerateForeignDom } from "./foreign-dom.ts";

// oxlint-disable-next-line typescript/unbound-method -- Put back as they were, not called.
const { removeChild, insertBefore } = Node.prototype;
let parent: HTMLElement;
let text: Text;
let next: HTMLElement;

beforeEach(() => {
  tolerateForeignDom(Node.prototype);
  parent = document.createElement("button");
  text = document.createTextNode("Sign in");
  next = document.createElement("i");
  parent.append(text, next);
});
afterEach(() => Object.assign(Node.prototype, { removeChild, insertBefore }));

/** What a translation does: its own element stands where the text was. */
function translate({ keepsText }: { keepsText: boolean }): HTMLElement {
  const font = document.createElement("font");
  text.replaceWith(font);
  font.append(keepsText ? text : "Anmelden");
  return font;
}

describe("a page whose texts were replaced", () => {
  it.each([true, false])(
    "takes what is put before a replaced text (kept inside: %s)",
    (keepsText) => {
      const font = translate({ keepsText });
      const mark = document.createElement("svg");
      parent.insertBefore(mark, text);
      expect(mark.parentNode).toBe(parent);
      expect(mark.nextSibling).toBe(keepsText ? font : null);
    },
  );

  it("removes the wrapper together with the text in it", () => {
    translate({ keepsText: true });
    expect(parent.removeChild(text)).toBe(text);
    expect(parent.textContent).toBe("");
  });

  it("leaves alone what replaced a text that is gone", () => {
    translate({ keepsText: false });
    expect(parent.removeChild(text)).toBe(text);
    expect(parent.textContent).toBe("Anmelden");
  });
});

it("changes nothing about nodes that are where they should be", () => {
  const mark = document.createElement("svg");
  expect(parent.insertBefore(mark, text)).toBe(mark);
  expect([...parent.childNodes]).toEqual([mark, text, next]);
  expect(parent.insertBefore(mark, null)).toBe(mark);
  expect([...parent.childNodes]).toEqual([text, next, mark]);
  expect(parent.removeChild(text)).toBe(text);
  expect([...parent.childNodes]).toEqual([next, mark]);
});
