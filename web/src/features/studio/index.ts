export { DraftReviewQueue } from "./components/draft-review-queue.tsx";
