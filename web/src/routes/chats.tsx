export { RoomListPage as default } from "@/features/chat/public.ts";
