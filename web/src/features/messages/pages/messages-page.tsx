import { paths } from "@/domain/paths.ts";
import { MembershipNotice, useEffectiveLevel } from "@/features/levels/index.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { ConversationList } from "../components/conversation-list.tsx";
import { messageStrings } from "../strings.ts";

/** `/messages`: the member's conversations with other members. */
export function MessagesPage() {
  const { status, current } = useEffectiveLevel();
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title={messageStrings.title}
        intro={
          <>
            {messageStrings.intro.before}
            <TextLink to={`${paths.account}#messages`}>{messageStrings.intro.link}</TextLink>
            {messageStrings.intro.after}
          </>
        }
      />
      {status === "ready" && current === 0 ? (
        <MembershipNotice>{messageStrings.membersOnly}</MembershipNotice>
      ) : (
        <ConversationList />
      )}
    </div>
  );
}
