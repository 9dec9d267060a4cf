export { RoomPage as default } from "@/features/chat/public.ts";
