export { MemberName } from "./components/member-name.tsx";
export { BlockedMembers, FoldBlocked, useBlockedIds, useIsBlocked } from "./blocked-members.tsx";
export { ProfileChoicesForm } from "./components/profile-choices-form.tsx";
export { BlockedList } from "./components/blocked-list.tsx";
export { BlockedNotice } from "./components/blocked-notice.tsx";
export { MemberActions } from "./components/member-actions.tsx";
export { maxTopicCharacters, maxTopics, splitTopics } from "./model/topics.ts";
export { findMembers, searchMembers } from "./api/people.ts";
export type { ListedMember } from "./model/directory.ts";
