export { MemberName } from "./components/member-name.tsx";
export { BlockedMembers, FoldBlocked, useIsBlocked } from "./blocked-members.tsx";
export { ProfileChoicesForm } from "./components/profile-choices-form.tsx";
export { BlockedList } from "./components/blocked-list.tsx";
export { MemberReportQueue } from "./components/member-report-queue.tsx";
export { useMemberReports } from "./queries.ts";
export { findMembers } from "./api/people.ts";
