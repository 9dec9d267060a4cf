export { RatingPanel } from "./components/rating-panel.tsx";
export { RatingSummary } from "./components/rating-summary.tsx";
