import { Extension, InputRule } from "@tiptap/core";
import { linkAddress } from "../model/link-address.ts";

/** Makes a link of `[words](address)` with its last bracket, as Markdown writes one. Pictures begin with `!`. */
export const TypedLink = Extension.create({
  name: "typedLink",
  addInputRules() {
    return [
      new InputRule({
        find: /(?<!!)\[([^[\]]+)\]\(([^\s()]+)\)$/,
        handler: ({ state, range, match: [, words = "", typed = ""] }) => {
          const { tr, schema, storedMarks, selection } = state;
          const href = linkAddress(typed);
          const link = schema.marks["link"];
          // Null leaves what was typed as it is.
          if (href === null || link === undefined) return null;
          // What is written next looks as the address did.
          const marksBehind = storedMarks ?? selection.$from.marks();
          const wordsFrom = range.from + 1;
          tr.delete(wordsFrom + words.length, range.to).delete(range.from, wordsFrom);
          tr.addMark(range.from, range.from + words.length, link.create({ href }));
          tr.setStoredMarks(marksBehind);
          return undefined;
        },
      }),
    ];
  },
});
