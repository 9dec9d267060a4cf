import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { bellKey } from "@/features/notifications/index.ts";
import { ConversationPane, startDraft } from "@/features/chat/index.ts";
import { displayName, useSession } from "@/features/session/index.ts";
import { refetchQueries } from "@/lib/query-cache.ts";
import { TextLink } from "@/ui/text-link.tsx";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import { directSource } from "../api/direct-source.ts";
import { directCalls } from "../api/message-calls.ts";
import type { DirectConversation } from "../model/conversation.ts";
import { messageKeys } from "../queries.ts";
import { messageStrings } from "../strings.ts";
import { useDirectTyping } from "../use-direct-typing.ts";
import { ConversationHeader } from "./conversation-header.tsx";

/** A conversation with a member. */
export function ConversationView({
  conversation,
  userId,
}: {
  readonly conversation: DirectConversation;
  readonly userId: string;
}) {
  const { member, door, id } = conversation;
  const queries = useQueryClient();
  const { user, profile, role } = useSession();
  const typing = useDirectTyping(id, member);
  // What the address brings stands in the field once, and is not brought again on the way back.
  const [parameters, setParameters] = useSearchParams();
  const draft = parameters.get("draft");
  useState(() => {
    if (draft !== null) startDraft(userId, member.id, draft);
  });
  useEffect(() => {
    if (draft !== null) setParameters({}, { replace: true, preventScrollReset: true });
  }, [draft, setParameters]);
  const self = {
    id: userId,
    name: displayName(profile, user?.email ?? unnamedMember),
    role,
    occupation: profile?.occupation ?? "",
    avatarUrl: profile?.avatarUrl ?? null,
  };
  return (
    <ConversationPane
      place={{ id: member.id, name: member.name, kind: "member" }}
      userId={userId}
      target={null}
      typing={typing}
      renderHeader={() => <ConversationHeader member={member} />}
      closed={door === "open" ? undefined : <ClosedDoor conversation={conversation} />}
      makeSource={(client) =>
        directSource(
          client,
          conversation,
          self,
          () => refetchQueries(queries, bellKey(userId)),
          () => refetchQueries(queries, messageKeys.conversation(userId, member.id)),
        )
      }
      calls={directCalls}
    />
  );
}

/** Why there is no message field. What is the other's own business is not said. */
function ClosedDoor({
  conversation: { door, member },
}: {
  readonly conversation: DirectConversation;
}): ReactNode {
  return (
    <p
      role="status"
      className="shrink-0 border-t border-line bg-sunken px-4 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] text-sm text-muted sm:px-8"
    >
      {door === "own" ? (
        <>
          {messageStrings.own}{" "}
          <TextLink to={`${paths.account}#messages`}>{messageStrings.changeChoice}</TextLink>
        </>
      ) : (
        messageStrings.closed(member.name)
      )}
    </p>
  );
}
