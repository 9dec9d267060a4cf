import { beforeEach, expect, it } from "vitest";
import { keepCommentDraft, readCommentDraft } from "./comment-draft.ts";

beforeEach(() => sessionStorage.clear());

const draft = { id: "c1", comment: "Thank you", picked: [{ id: "tom", name: "Tom Baker" }] };

it("an unsent comment belongs to one member and one submission", () => {
  keepCommentDraft(sessionStorage, "ada", "s1", draft);
  expect(readCommentDraft(sessionStorage, "ada", "s1")).toEqual(draft);
  expect(readCommentDraft(sessionStorage, "ada", "s2")).toBeNull();
  expect(readCommentDraft(sessionStorage, "tom", "s1")).toBeNull();
  keepCommentDraft(sessionStorage, "ada", "s1", { ...draft, comment: " " });
  expect(sessionStorage).toHaveLength(0);
});
