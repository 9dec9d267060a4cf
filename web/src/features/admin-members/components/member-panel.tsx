import { MessageCircle, Undo2 } from "lucide-react";
import { Link } from "react-router";
import { levelByNumber } from "@/domain/levels.ts";
import { conversationPath, paths } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { AdminLoadFailed, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { accountMissing } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";
import { exactTime, longDate } from "@/lib/format-time.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { isUuid } from "@/lib/uuid.ts";
import { Alert } from "@/ui/alert.tsx";
import { Avatar } from "@/ui/avatar.tsx";
import { Badge, RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { nameOfMember, type AccountDetail, type BillingDetail } from "../model/member-detail.ts";
import { useMemberDetail } from "../queries.ts";
import {
  memberFields,
  memberPanelStrings,
  membershipColours,
  membershipNames,
} from "../strings.ts";
import { MemberActionList } from "./member-action-list.tsx";
import { MemberAudit } from "./member-audit.tsx";
import { MemberBillingSection } from "./member-billing.tsx";
import { MemberConductSection } from "./member-conduct.tsx";
import { MemberIdentitySection } from "./member-identity.tsx";
import { MemberNotes } from "./member-notes.tsx";
import { MemberProgressSection } from "./member-progress.tsx";
import { MemberFacts, MemberSection } from "./member-section.tsx";

/** The panel of one member beside the list; closed without an id. */
export function MemberSheet({
  memberId,
  knownName,
  onClose,
}: {
  readonly memberId: string;
  /** From the list, while the rest is being read. */
  readonly knownName: string | undefined;
  readonly onClose: () => void;
}) {
  const { data } = useMemberDetail(memberId);
  return (
    <Sheet
      from="side"
      open={memberId !== ""}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={data ? nameOfMember(data.account) : (knownName ?? memberFields.member)}
    >
      {memberId === "" ? null : <MemberPanel key={memberId} memberId={memberId} />}
    </Sheet>
  );
}

function MemberPanel({ memberId }: { readonly memberId: string }) {
  const { client } = useBackend();
  const { data, error, isError, isFetching, refetch } = useMemberDetail(memberId);
  if (!isUuid(memberId) || (isError && toAppError(error).code === accountMissing)) {
    return <Alert tone="danger">{memberPanelStrings.absent}</Alert>;
  }
  if (!data && isError) {
    return (
      <AdminLoadFailed
        title={memberPanelStrings.loadFailed}
        error={error}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <Loading label={memberPanelStrings.loading} className="grid gap-4">
        <Skeleton className="h-24 rounded-card" />
        <Skeleton className="h-40 rounded-card" />
        <Skeleton className="h-40 rounded-card" />
      </Loading>
    );
  }
  const { account, billing } = data;
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <Avatar
          id={account.id}
          name={nameOfMember(account)}
          picture={profilePictureUrl(client, data.avatarUrl)}
        />
        <RoleBadge role={account.role} label={roleNames[account.role]} />
        <Badge colour={membershipColours[billing.membership]}>
          {membershipNames[billing.membership]}
        </Badge>
        {account.suspension === null ? null : (
          <Badge colour="danger">{memberFields.suspended}</Badge>
        )}
      </div>
      {account.suspension === null ? null : (
        <Alert
          tone="warn"
          title={
            account.suspension.until === null
              ? memberPanelStrings.suspendedUntilLifted
              : memberPanelStrings.suspendedUntil(longDate(Date.parse(account.suspension.until)))
          }
        >
          {account.suspension.reason ?? memberPanelStrings.reasonUnknown}
        </Alert>
      )}
      <NearActs account={account} billing={billing} />
      <MemberBillingSection billing={billing} />
      <MemberSection title={memberPanelStrings.accountTitle}>
        <AccountFacts account={account} />
      </MemberSection>
      <MemberProgressSection progress={data.progress} />
      <MemberConductSection conduct={data.conduct} />
      <MemberIdentitySection identity={data.identity} />
      <MemberNotes memberId={memberId} notes={data.notes} />
      <MemberAudit memberId={memberId} entries={data.audit} />
      <MemberSection title={memberPanelStrings.actsTitle}>
        <MemberActionList
          account={account}
          billing={billing}
          hasPicture={data.avatarUrl !== null}
        />
      </MemberSection>
    </div>
  );
}

/** What is done for a member most often. What is done against one stands at the end of the panel. */
function NearActs({
  account,
  billing,
}: {
  readonly account: AccountDetail;
  readonly billing: BillingDetail;
}) {
  const isOwn = account.id === useUserId();
  const payments = `${paths.adminMoney}?${new URLSearchParams({
    search: account.email,
    ...(isOwn ? {} : { refund: account.id }),
  }).toString()}`;
  const isPaid = billing.paid_pence > billing.refunded_pence;
  if (isOwn && !isPaid) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {isOwn ? null : (
        <Button asChild size="sm">
          <Link to={conversationPath(account.id)}>
            <MessageCircle aria-hidden className="size-4" />
            {memberPanelStrings.message}
          </Link>
        </Button>
      )}
      {isPaid ? (
        <Button asChild size="sm" variant="secondary">
          <Link to={payments}>
            <Undo2 aria-hidden className="size-4" />
            {isOwn ? memberPanelStrings.payments : memberPanelStrings.refund}
          </Link>
        </Button>
      ) : null}
    </div>
  );
}

function AccountFacts({ account }: { readonly account: AccountDetail }) {
  const level = levelByNumber(account.level);
  return (
    <MemberFacts
      facts={[
        [
          memberPanelStrings.email,
          memberPanelStrings.emailValue(account.email, account.is_confirmed),
        ],
        [memberPanelStrings.occupation, account.occupation ?? "–"],
        [memberFields.level, level ? `${level.number} · ${level.name}` : memberFields.notStarted],
        [memberPanelStrings.onboarding, memberPanelStrings.onboardingState(account.is_onboarded)],
        [memberFields.joined, longDate(Date.parse(account.joined_at))],
        [
          memberPanelStrings.lastSignIn,
          account.last_sign_in_at === null ? "–" : exactTime(Date.parse(account.last_sign_in_at)),
        ],
        [memberPanelStrings.signedInOn, memberPanelStrings.devices(account.sessions)],
        ...(account.role === "mentor"
          ? [
              [
                memberPanelStrings.publishes,
                memberPanelStrings.publishesHow(account.is_trusted),
              ] as const,
            ]
          : []),
        [
          memberPanelStrings.secondFactor,
          memberPanelStrings.secondFactorState(account.has_second_factor),
        ],
      ]}
    />
  );
}
