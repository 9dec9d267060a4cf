import { getNodeType, InputRule, type NodeViewRendererProps } from "@tiptap/core";
import { ListItem } from "@tiptap/extension-list";
import type { Node } from "@tiptap/pm/model";
import { richTextStrings } from "../strings/text-editor.ts";

declare module "@tiptap/core" {
  interface Commands<ReturnType> {
    checkList: {
      /** Gives the items of the selection boxes to tick, or takes the boxes away. */
      toggleCheckList: () => ReturnType;
    };
  }
}

function checkedIn(value: string | null): boolean | null {
  return value === null ? null : value === "true";
}

/** An item of a list, which may have a box to tick: `checked` is null without one. */
export const CheckListItem = ListItem.extend({
  content: "block+",
  addAttributes: () => ({
    checked: {
      default: null,
      parseHTML: (element) => {
        const box = element.querySelector(":scope > input[type=checkbox]");
        return box === null
          ? checkedIn(element.getAttribute("data-checked"))
          : box.hasAttribute("checked");
      },
      renderHTML: ({ checked }) => (checked === null ? {} : { "data-checked": String(checked) }),
    },
    spread: { default: false, rendered: false },
  }),
  addNodeView() {
    return (view) => itemView(view);
  },
  addKeyboardShortcuts() {
    return {
      ...this.parent?.(),
      Enter: () => {
        const isTask = this.editor.getAttributes(this.name)["checked"] !== null;
        return this.editor.commands.splitListItem(this.name, isTask ? { checked: false } : {});
      },
      "Mod-Enter": () => {
        const checked: unknown = this.editor.getAttributes(this.name)["checked"];
        return (
          typeof checked === "boolean" &&
          this.editor.commands.updateAttributes(this.name, { checked: !checked })
        );
      },
    };
  },
  addInputRules() {
    return [
      new InputRule({
        find: /^\[([ x]?)\]\s$/iu,
        handler: ({ range, match, chain }) => {
          const checked = match[1]?.toLowerCase() === "x";
          const change = chain().deleteRange(range);
          if (!this.editor.isActive(this.name)) change.toggleBulletList();
          change.updateAttributes(this.name, { checked }).run();
        },
      }),
    ];
  },
  addCommands() {
    return {
      toggleCheckList:
        () =>
        ({ chain, editor }) => {
          const isOn = typeof editor.getAttributes(this.name)["checked"] === "boolean";
          const change = chain();
          if (!editor.isActive(this.name)) change.toggleBulletList();
          return change.updateAttributes(this.name, { checked: isOn ? null : false }).run();
        },
    };
  },
});

/** The item as the editor shows it. A click on the box ticks it. */
function itemView({ node, editor, getPos }: NodeViewRendererProps) {
  const type = getNodeType("listItem", editor.schema);
  const dom = document.createElement("li");
  if (node.attrs["checked"] === null) {
    return { dom, contentDOM: dom, update: (next: Node) => next.type === type && isPlain(next) };
  }
  const label = document.createElement("label");
  label.contentEditable = "false";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.setAttribute("aria-label", richTextStrings.done);
  box.addEventListener("change", () => {
    const place = getPos();
    if (!editor.isEditable || place === undefined) return;
    const { tr } = editor.state;
    editor.view.dispatch(tr.setNodeAttribute(place, "checked", box.checked));
  });
  // The text keeps the focus and the selection.
  label.addEventListener("mousedown", (event) => event.preventDefault());
  const contentDOM = document.createElement("div");
  label.append(box);
  dom.append(label, contentDOM);
  dom.className = "task";
  const show = (checked: boolean) => {
    box.checked = checked;
    box.toggleAttribute("checked", checked);
  };
  show(node.attrs["checked"] === true);
  return {
    dom,
    contentDOM,
    update: (next: Node) => {
      if (next.type !== type || isPlain(next)) return false;
      show(next.attrs["checked"] === true);
      return true;
    },
    ignoreMutation: (mutation: { readonly target: globalThis.Node }) =>
      !contentDOM.contains(mutation.target),
    stopEvent: (event: Event) => label.contains(event.target as globalThis.Node | null),
  };
}

const isPlain = (item: Node): boolean => item.attrs["checked"] === null;
