import { expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";

/** Files with choices of their own: forms, what this tab stored, files, and answers to a press, which fail alone. */
const ownChoices = [
  "web/src/features/billing/api/change-plan.ts",
  "web/src/features/chat/model/closed-room.ts",
  "web/src/features/collaborate/components/post-form.tsx",
  "web/src/features/collaborate/model/stored-post.ts",
  "web/src/features/moderation/components/report-dialog.tsx",
  "web/src/features/search/model/recent-finds.ts",
  // The page of one course on sale: without its section there is nothing to lead to.
  "web/src/features/selling/model/sale.ts",
  "web/src/features/session/model/closed-page.ts",
  "web/src/features/studio/api/draft-actions.ts",
  "web/src/features/submissions/components/draft-schema.ts",
  "web/src/domain/library-files/studio-export.ts",
];

it("answers with a choice of words are read so that a word of a later release fails no page", () => {
  const strict = sourceFiles([".ts", ".tsx"]).filter(
    ({ path, text }) =>
      path.startsWith("web/src/") &&
      !/\.test\.tsx?$|\/testing\//.test(path) &&
      /\bz\s*\.(enum|literal)\((?!true|false)/.test(text) &&
      !/\bknownItems\(|\bknownOr\(/.test(text),
  );
  expect(strict.map(({ path }) => path).toSorted()).toEqual(ownChoices.toSorted());
});
