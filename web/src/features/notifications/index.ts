export { NotificationBell } from "./components/notification-bell.tsx";
export { NotificationLine } from "./components/notification-line.tsx";
export { openBell } from "./open-bell.ts";
export { bellItemSchema } from "./model/bell-page.ts";
export { bellKey, useBell } from "./queries.ts";
export { useMarkBellRead } from "./mutations.ts";
