import type { ReactNode } from "react";
import { MessageChoiceForm } from "@/features/messages/index.ts";
import { EditAnswers } from "@/features/onboarding/index.ts";
import { BlockedList, ProfileChoicesForm } from "@/features/people/index.ts";
import {
  ChangeEmailForm,
  sessionStrings,
  SignOutPanel,
  UpdatePasswordForm,
  useSession,
} from "@/features/session/index.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { toast } from "@/ui/toast.tsx";
import { useEmail } from "../queries.ts";
import { DeleteAccount } from "../components/delete-account.tsx";
import { ExportData } from "../components/export-data.tsx";
import { NotificationSettings } from "../components/notification-settings.tsx";
import { ProfilePicture } from "../components/profile-picture.tsx";
import { SecondFactor } from "../components/second-factor.tsx";
import { SessionList } from "../components/session-list.tsx";
import { accountStrings } from "../strings.ts";

function Section({
  id,
  title,
  intro,
  children,
}: {
  /** Lets an address lead here. */
  readonly id?: string;
  readonly title: string;
  readonly intro: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section
      id={id}
      className="grid scroll-mt-20 gap-4 border-t border-line py-8 md:grid-cols-[16rem_minmax(0,28rem)] md:gap-10"
    >
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="mt-1 text-sm text-muted">{intro}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}

/** `/account`: what members are shown as and aim for, and how they sign in. */
export function AccountPage() {
  const { user, role, onboardingComplete } = useSession();
  const { data: email = user?.email ?? "" } = useEmail();
  if (user === null) return null;
  return (
    <>
      <PageHeader title={accountStrings.title} intro={accountStrings.intro} />
      {onboardingComplete || role === "admin" ? (
        <Section id="profile" {...accountStrings.profile}>
          <div className="grid gap-8">
            <ProfilePicture />
            <EditAnswers page={7} />
          </div>
        </Section>
      ) : null}
      {onboardingComplete ? (
        <Section id="directory" {...accountStrings.directory}>
          <ProfileChoicesForm />
        </Section>
      ) : null}
      {onboardingComplete ? (
        <Section id="goals" {...accountStrings.goals}>
          <EditAnswers page={6} />
        </Section>
      ) : null}
      <Section id="notifications" {...accountStrings.notifications}>
        <NotificationSettings />
      </Section>
      {onboardingComplete || role === "admin" ? (
        <Section id="messages" {...accountStrings.messages}>
          <MessageChoiceForm />
        </Section>
      ) : null}
      <Section id="blocked" {...accountStrings.blocked}>
        <BlockedList />
      </Section>
      <Section
        title={accountStrings.email}
        intro={
          <>
            {accountStrings.signedInAs}
            <span className="block wrap-anywhere text-ink">{email}</span>
          </>
        }
      >
        <ChangeEmailForm current={email} />
      </Section>
      <Section {...accountStrings.password}>
        <UpdatePasswordForm
          currentLabel={accountStrings.currentPassword}
          onDone={() => toast.good(sessionStrings.passwordUpdated)}
        />
      </Section>
      <Section id="second-factor" {...accountStrings.secondFactor}>
        <SecondFactor />
      </Section>
      <Section {...accountStrings.sessions}>
        <div className="grid gap-6">
          <SessionList />
          <SignOutPanel />
        </div>
      </Section>
      <Section {...accountStrings.data}>
        <ExportData />
      </Section>
      {role === "admin" ? null : (
        <Section {...accountStrings.deletion}>
          <DeleteAccount />
        </Section>
      )}
    </>
  );
}
