import { Node } from "@tiptap/core";
import { contentPictureAddress, toTextPicture } from "@/domain/content-pictures.ts";

/** How the editor shows pictures, and who asks for one. */
export interface PictureNodeOptions {
  /** Where the picture of an address is loaded from. */
  readonly urlOf: (address: string) => string;
  /** Asks which picture to insert. */
  readonly choose: () => void;
}

declare module "@tiptap/core" {
  interface Commands<ReturnType> {
    picture: {
      /** Asks which picture to insert here. */
      choosePicture: () => ReturnType;
    };
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A picture of our storage inside a text. Images of other addresses are no such node, however they were written. */
export const PictureNode = Node.create<PictureNodeOptions>({
  name: "picture",
  group: "inline",
  inline: true,
  atom: true,
  draggable: true,
  addOptions: () => ({ urlOf: (address) => address, choose: () => undefined }),
  addAttributes: () => ({
    address: { default: "", rendered: false },
    description: { default: "", rendered: false },
  }),
  parseHTML: () => [
    {
      // What was copied in an editor.
      tag: "img[data-picture]",
      getAttrs: (element) => {
        const address = element.getAttribute("data-picture") ?? "";
        if (toTextPicture(address) === null) return false;
        return { address, description: element.getAttribute("alt") ?? "" };
      },
    },
  ],
  renderHTML({ node }) {
    const address = textOf(node.attrs["address"]);
    const picture = toTextPicture(address);
    if (picture === null) return ["span"];
    const src = this.options.urlOf(contentPictureAddress(picture.name));
    const alt = textOf(node.attrs["description"]);
    return ["img", { src, alt, "data-picture": address, ...picture.size }];
  },
  addCommands() {
    return {
      choosePicture: () => () => {
        this.options.choose();
        return true;
      },
    };
  },
});
