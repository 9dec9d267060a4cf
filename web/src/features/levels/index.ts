export { useEffectiveLevel, useLevel, type LevelView } from "./queries.ts";
export { useLevelRequirements, useProgress } from "./queries.ts";
export { LevelAdvancements } from "./components/level-advancements.tsx";
export { MembershipNotice } from "./components/membership-notice.tsx";
export { LockedSection } from "./components/locked-section.tsx";
export { LevelUpMoment } from "./components/level-up-moment.tsx";
export { ProgressCard } from "./components/progress-card.tsx";
export { stepTowards } from "./components/next-step.ts";
