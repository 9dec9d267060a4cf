import { levelByNumber } from "@/domain/levels.ts";
import { roleNames } from "@/domain/roles.ts";
import { AdminLoadFailed } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { accountMissing } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";
import { pluralise } from "@/lib/format-count.ts";
import { exactTime, longDate } from "@/lib/format-time.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { isUuid } from "@/lib/uuid.ts";
import { Alert } from "@/ui/alert.tsx";
import { Avatar } from "@/ui/avatar.tsx";
import { Badge, RoleBadge } from "@/ui/badge.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { nameOfMember, type AccountDetail } from "../model/member-detail.ts";
import { useMemberDetail } from "../queries.ts";
import { membershipColours, membershipNames } from "../strings.ts";
import { MemberActs } from "./member-acts.tsx";
import { MemberAudit } from "./member-audit.tsx";
import { MemberBillingSection } from "./member-billing.tsx";
import { MemberConductSection } from "./member-conduct.tsx";
import { MemberIdentitySection } from "./member-identity.tsx";
import { MemberNotes } from "./member-notes.tsx";
import { MemberProgressSection } from "./member-progress.tsx";
import { MemberFacts } from "./member-section.tsx";

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
      title={data ? nameOfMember(data.account) : (knownName ?? "Member")}
    >
      {memberId === "" ? null : <MemberPanel key={memberId} memberId={memberId} />}
    </Sheet>
  );
}

function MemberPanel({ memberId }: { readonly memberId: string }) {
  const { client } = useBackend();
  const { data, error, isError, isFetching, refetch } = useMemberDetail(memberId);
  if (!isUuid(memberId) || (isError && toAppError(error).code === accountMissing)) {
    return <Alert tone="danger">There is no such account.</Alert>;
  }
  if (!data && isError) {
    return (
      <AdminLoadFailed
        title="We couldn't load this member"
        error={error}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <Loading label="Loading the member" className="grid gap-4">
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
        {account.suspension === null ? null : <Badge colour="danger">Suspended</Badge>}
      </div>
      {account.suspension === null ? null : (
        <Alert
          tone="warn"
          title={
            account.suspension.until === null
              ? "Suspended until it is lifted"
              : `Suspended until ${longDate(Date.parse(account.suspension.until))}`
          }
        >
          {account.suspension.reason ?? "The reason is not in the audit log."}
        </Alert>
      )}
      <MemberActs account={account} billing={billing} hasPicture={data.avatarUrl !== null} />
      <AccountFacts account={account} />
      <MemberBillingSection billing={billing} />
      <MemberProgressSection progress={data.progress} />
      <MemberConductSection conduct={data.conduct} />
      <MemberIdentitySection identity={data.identity} />
      <MemberNotes memberId={memberId} notes={data.notes} />
      <MemberAudit memberId={memberId} entries={data.audit} />
    </div>
  );
}

function AccountFacts({ account }: { readonly account: AccountDetail }) {
  const level = levelByNumber(account.level);
  return (
    <MemberFacts
      facts={[
        ["Email", `${account.email}${account.is_confirmed ? "" : " (not confirmed)"}`],
        ["Occupation", account.occupation ?? "–"],
        ["Level", level ? `${level.number} · ${level.name}` : "Not started"],
        ["Onboarding", account.is_onboarded ? "Finished" : "Not finished"],
        ["Joined", longDate(Date.parse(account.joined_at))],
        [
          "Last sign-in",
          account.last_sign_in_at === null ? "–" : exactTime(Date.parse(account.last_sign_in_at)),
        ],
        ["Signed in on", pluralise(account.sessions, "device")],
        ...(account.role === "mentor"
          ? [["Publishes", account.is_trusted ? "Without a review" : "After a review"] as const]
          : []),
        ["Second factor", account.has_second_factor ? "On" : "Off"],
      ]}
    />
  );
}
