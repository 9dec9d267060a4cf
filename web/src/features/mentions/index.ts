export { MemberText } from "./components/member-text.tsx";
export { MentionPicker, mentionOptionId } from "./components/mention-picker.tsx";
export { MentionTextArea } from "./components/mention-text-area.tsx";
export { useMentionPicker } from "./use-mention-picker.ts";
export { insertMention, mentionedIds, namesEveryone, type Mention } from "./model/mention.ts";
