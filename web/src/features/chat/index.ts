export { ModerationQueue } from "./components/moderation-queue.tsx";
export { RoomListPage } from "./components/room-list-page.tsx";
export { RoomPage } from "./components/room-page.tsx";
