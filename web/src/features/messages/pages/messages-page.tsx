import { paths } from "@/domain/paths.ts";
import { MembershipNotice, useEffectiveLevel } from "@/features/levels/index.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { ConversationList } from "../components/conversation-list.tsx";

/** `/messages`: the member's conversations with other members. */
export function MessagesPage() {
  const { status, current } = useEffectiveLevel();
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title="Messages"
        intro={
          <>
            Conversations that only the two of you can read. Who may write to you is{" "}
            <TextLink to={`${paths.account}#messages`}>your choice</TextLink>.
          </>
        }
      />
      {status === "ready" && current === 0 ? (
        <MembershipNotice>Messages are for members.</MembershipNotice>
      ) : (
        <ConversationList />
      )}
    </div>
  );
}
