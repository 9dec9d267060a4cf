export { AchievementsPanel } from "./components/achievements-panel.tsx";
export { CertificateLink } from "./components/certificate-link.tsx";
export { ProfileAchievements } from "./components/profile-achievements.tsx";
export { earnedSchema, type EarnedAchievement } from "./model/achievements.ts";
