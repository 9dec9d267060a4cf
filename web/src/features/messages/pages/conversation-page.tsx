import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { SkipToMessageField } from "@/features/chat/index.ts";
import { MembershipNotice, useEffectiveLevel } from "@/features/levels/index.ts";
import { BlockedNotice } from "@/features/people/index.ts";
import { useSession } from "@/features/session/index.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { useExtraWideScreen } from "@/ui/use-wide-screen.ts";
import { ConversationList } from "../components/conversation-list.tsx";
import { ConversationView } from "../components/conversation-view.tsx";
import { useDirectConversation } from "../queries.ts";
import { explainMessageError, messageStrings } from "../strings.ts";

/** `/messages/{id}`: the conversation with a member, by the id of either, on wide screens beside the others. */
export function ConversationPage() {
  const { id = "" } = useParams();
  const { current } = useEffectiveLevel();
  const wide = useExtraWideScreen();
  const { data } = useDirectConversation(id, current > 0);
  return (
    <div className="flex h-full">
      <SkipToMessageField />
      {wide && current > 0 ? (
        <nav
          aria-label={messageStrings.listBeside}
          // Hidden by the style sheet as well, which follows a narrower window at once.
          className="hidden h-full w-80 shrink-0 overflow-y-auto border-r border-line p-3 xl:block"
        >
          <ConversationList {...(data && { currentId: data.member.id })} />
        </nav>
      ) : null}
      <div className="min-w-0 grow">
        <Content id={id} />
      </div>
    </div>
  );
}

function Content({ id }: { readonly id: string }) {
  const { user } = useSession();
  const { status, current, refresh } = useEffectiveLevel();
  const { data, isError, error, isFetching, refetch } = useDirectConversation(id, current > 0);
  usePageDetail(data ? data.member.name : null);
  if (status === "ready" && current === 0) {
    return (
      <Padded>
        <h1 className="display text-2xl sm:text-3xl">{messageStrings.title}</h1>
        <MembershipNotice>{messageStrings.membersOnly}</MembershipNotice>
      </Padded>
    );
  }
  if (data === null) {
    return (
      <Padded>
        <SearchX aria-hidden className="size-8 text-muted" />
        <h1 className="display text-2xl sm:text-3xl">{messageStrings.absentTitle}</h1>
        <p className="text-muted">{messageStrings.absent}</p>
        <Button asChild>
          <Link to={paths.messages}>{messageStrings.all}</Link>
        </Button>
      </Padded>
    );
  }
  if (data?.door === "blocked") {
    return (
      <Padded>
        <BlockedNotice profile={data.member}>{messageStrings.blocked}</BlockedNotice>
      </Padded>
    );
  }
  if (data && user) {
    return <ConversationView key={data.member.id} conversation={data} userId={user.id} />;
  }
  if (isError || status === "failed") {
    return (
      <Padded>
        <LoadFailed
          title={messageStrings.failed}
          busy={isFetching}
          advice={isError ? explainMessageError(error) : null}
          onRetry={() => void (isError ? refetch() : refresh())}
        />
      </Padded>
    );
  }
  return (
    <Loading label={messageStrings.loading} className="grid gap-6 p-4 sm:p-8">
      <Skeleton className="h-10 w-56" />
      <Skeleton className="h-12 w-2/3" />
      <Skeleton className="h-12 w-1/2" />
    </Loading>
  );
}

function Padded({ children }: { readonly children: ReactNode }) {
  return (
    <div className="grid h-full max-w-notice content-start justify-items-start gap-4 overflow-y-auto px-4 py-8 sm:px-8 sm:py-14">
      {children}
    </div>
  );
}
