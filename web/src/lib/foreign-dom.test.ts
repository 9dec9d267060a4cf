import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tolerateForeignDom } from "./foreign-dom.ts";

// oxlint-disable-next-line typescript/unbound-method -- Put back as they were, not called.
const { removeChild, insertBefore } = Node.prototype;
let parent: HTMLElement;
let text: Text;
let next: HTMLElement;
let stop: () => void;

beforeEach(() => {
  stop = tolerateForeignDom(Node.prototype, document);
  parent = document.createElement("button");
  text = document.createTextNode("Sign in");
  next = document.createElement("i");
  parent.append(text, next);
  document.body.append(parent);
});
afterEach(() => {
  stop();
  Object.assign(Node.prototype, { removeChild, insertBefore });
  parent.remove();
});

const ways = ["wraps it", "replaces it", "puts an element before it and takes it away"] as const;

/** What a translation does: its own element stands where the text was. */
function translate(way: (typeof ways)[number]): HTMLElement {
  const font = document.createElement("font");
  if (way === "puts an element before it and takes it away") {
    text.before(font);
    text.remove();
  } else {
    text.replaceWith(font);
  }
  if (way === "wraps it") font.append(text);
  else font.append("Anmelden");
  return font;
}

describe.each(ways)("a text, when a translation %s,", (way) => {
  it("takes what is put before it", () => {
    const font = translate(way);
    const mark = document.createElement("svg");
    parent.insertBefore(mark, text);
    expect([...parent.childNodes]).toEqual([mark, font, next]);
  });

  it("is removed with what stands for it", () => {
    translate(way);
    expect(parent.removeChild(text)).toBe(text);
    expect([...parent.childNodes]).toEqual([next]);
  });

  it("shows what is written into it, again and again", async () => {
    for (const words of ["3 left", "2 left"]) {
      translate(way);
      await Promise.resolve();
      text.nodeValue = words;
      await vi.waitFor(() => expect(parent.textContent).toBe(words));
      expect(parent.lastChild).toBe(next);
    }
  });
});

it("a text that went with nothing in its place is left alone", () => {
  text.remove();
  expect(parent.removeChild(text)).toBe(text);
  expect([...parent.childNodes]).toEqual([next]);
  const mark = document.createElement("svg");
  parent.insertBefore(mark, text);
  expect(parent.lastChild).toBe(mark);
});

it("a replacement that was moved away is left where it is", () => {
  const font = translate("replaces it");
  document.body.append(font);
  expect(parent.removeChild(text)).toBe(text);
  expect(font.isConnected).toBe(true);
  font.remove();
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
