export { DraftReviewQueue } from "./components/draft-review-queue.tsx";
export { useSubmittedDrafts } from "./queries.ts";
