export { ModerationQueue } from "./components/moderation-queue.tsx";
export { RoomListPage } from "./pages/room-list-page.tsx";
export { RoomPage } from "./pages/room-page.tsx";
