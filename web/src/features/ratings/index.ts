export { RatingPanel } from "./components/rating-panel.tsx";
export { RatingStars, RatingSummary } from "./components/rating-summary.tsx";
