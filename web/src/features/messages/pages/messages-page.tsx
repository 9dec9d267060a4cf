import { PenLine } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { MembershipNotice, useEffectiveLevel } from "@/features/levels/index.ts";
import { Button } from "@/ui/button.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { ConversationList } from "../components/conversation-list.tsx";
import { messageStrings } from "../strings.ts";

/** `/messages`: the member's conversations with other members. */
export function MessagesPage() {
  const { status, current } = useEffectiveLevel();
  const isClosed = status === "ready" && current === 0;
  return (
    <div className="grid max-w-column grid-cols-1 gap-6">
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
        actions={
          isClosed ? null : (
            <Button asChild variant="secondary">
              <Link to={paths.members}>
                <PenLine aria-hidden className="size-4" />
                {messageStrings.newMessage}
              </Link>
            </Button>
          )
        }
      />
      {isClosed ? (
        <MembershipNotice>{messageStrings.membersOnly}</MembershipNotice>
      ) : (
        <ConversationList />
      )}
    </div>
  );
}
