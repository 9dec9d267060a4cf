import { Editor } from "@tiptap/core";
import { describe, expect, it } from "vitest";
import {
  contentPictureAddress,
  pictureDescription,
  textPictureAddress,
} from "@/domain/content-pictures.ts";
import { createEditorExtensions } from "./components/editor-extensions.ts";
import { openText, writeBlocks } from "./model/text-document.ts";
import { picturesIn } from "./model/text-picture.ts";

const name = "11111111-1111-4111-8111-111111111111-1.jpg";
const address = textPictureAddress({ name, size: { width: 1600, height: 900 } });
const picture = `![Two boats, “R&D”](${address})`;

function editorWith(content: string, contentType: "markdown" | "html"): Editor {
  const extensions = createEditorExtensions({ urlOf: (path) => `https://backend.test${path}` });
  const document = contentType === "html" ? content : (openText(content)?.document ?? "");
  return new Editor({ extensions, content: document, injectCSS: false });
}

function throughEditor(content: string, contentType: "markdown" | "html" = "markdown"): string {
  const editor = editorWith(content, contentType);
  const markdown = writeBlocks(editor.getJSON().content);
  editor.destroy();
  return markdown;
}

describe("a picture in the editor", () => {
  it.for([
    ["alone", picture],
    ["between paragraphs", `Before.\n\n${picture}\n\nAfter.`],
    ["among words", `Before ${picture} and **after**.`],
    ["beside another", `${picture} ${picture}`],
    ["in a list and a quote", `- ${picture}\n\n> ${picture}`],
    ["of a size no one knows", `![Boats](${contentPictureAddress(name)})`],
  ] as const)("stays as it is %s", ([, markdown]) => {
    expect(throughEditor(markdown)).toBe(markdown);
  });

  it("is loaded from the backend, with its place kept free", () => {
    const editor = editorWith(picture, "markdown");
    const image = editor.view.dom.querySelector("img[data-picture]");
    expect(image).toHaveAttribute("src", `https://backend.test${contentPictureAddress(name)}`);
    expect(image).toHaveAttribute("alt", "Two boats, “R&D”");
    expect(image).toHaveAttribute("width", "1600");
    editor.destroy();
  });

  it("is none of elsewhere, also on a clipboard that says so", () => {
    for (const [content, type] of [
      ["Words ![x](https://evil.example/x.png)", "markdown"],
      [`Words \\${picture}`, "markdown"],
      ["<p>Words <img src='https://evil.example/x.png'></p>", "html"],
      ["<p>Words <img data-picture='https://evil.example/x.png' alt='x'></p>", "html"],
    ] as const) {
      const editor = editorWith(content, type);
      expect(editor.view.dom.querySelector("img:not(.ProseMirror-separator)"), content).toBeNull();
      expect(editor.getText(), content).toContain("Words");
      editor.destroy();
    }
    const copied = `<p><img data-picture="${address}" src="x" alt="Boats"></p>`;
    expect(throughEditor(copied, "html")).toBe(`![Boats](${address})`);
  });

  it("has a description on one line that nothing takes for its end", () => {
    expect(pictureDescription(" A [b]\n<c> `d` \\e ")).toBe("A (b) ‹c› ’d’ /e");
  });
});

describe("the pictures among what was pasted or dropped", () => {
  const transfer = (files: readonly File[], text = "") =>
    ({ files, getData: () => text }) as unknown as DataTransfer;
  const file = (type: string) => new File(["x"], "a", { type });

  it("are all of them, unless words came with them", () => {
    const [text, png, jpg] = [file("text/plain"), file("image/png"), file("image/jpeg")];
    expect(picturesIn(transfer([text, png, jpg]))).toEqual([png, jpg]);
    expect(picturesIn(transfer([text]))).toEqual([]);
    expect(picturesIn(transfer([png], "Words"))).toEqual([]);
    expect(picturesIn(null)).toEqual([]);
  });
});
