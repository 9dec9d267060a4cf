export { RoomListPage as default } from "@/features/chat/index.ts";
