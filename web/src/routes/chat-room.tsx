export { RoomPage as default } from "@/features/chat/index.ts";
