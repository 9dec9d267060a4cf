export { ModerationQueue } from "./components/moderation-queue.tsx";
