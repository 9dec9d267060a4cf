export { useLevel, type LevelView } from "./use-level.ts";
