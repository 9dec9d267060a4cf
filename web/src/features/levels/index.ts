export { useLevel, type LevelView } from "./use-level.ts";
export { useProgress } from "./use-progress.ts";
export { LevelAdvancements } from "./components/level-advancements.tsx";
export { LevelUpBanner } from "./components/level-up-banner.tsx";
export { ProgressCard } from "./components/progress-card.tsx";
