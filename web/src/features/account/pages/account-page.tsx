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
      <PageHeader
        title="Account"
        intro="Your profile, what we tell you about, who can reach you, and how you sign in."
      />
      {onboardingComplete || role === "admin" ? (
        <Section id="profile" title="Profile" intro="Other members see this beside your name.">
          <div className="grid gap-8">
            <ProfilePicture />
            <EditAnswers page={7} />
          </div>
        </Section>
      ) : null}
      {onboardingComplete ? (
        <Section
          id="directory"
          title="Directory and profile"
          intro="What members may ask you about, and what they see of you. Your name, occupation and the lines about yourself are for all members."
        >
          <ProfileChoicesForm />
        </Section>
      ) : null}
      {onboardingComplete ? (
        <Section
          id="goals"
          title="Goals"
          intro="What you told us when you joined. You can change any of it as you move on."
        >
          <EditAnswers page={6} />
        </Section>
      ) : null}
      <Section
        id="notifications"
        title="Notifications"
        intro="Choose what we tell you about, and where. Emails about money, your identity and your security always come."
      >
        <NotificationSettings />
      </Section>
      {onboardingComplete || role === "admin" ? (
        <Section
          id="messages"
          title="Direct messages"
          intro="Other members learn only whether they can write to you, not what you chose."
        >
          <MessageChoiceForm />
        </Section>
      ) : null}
      <Section
        id="blocked"
        title="Blocked members"
        intro="You don't see each other, and neither of you is told of what the other does."
      >
        <BlockedList />
      </Section>
      <Section
        title="Email"
        intro={
          <>
            You sign in as <span className="block wrap-anywhere text-ink">{email}</span>
          </>
        }
      >
        <ChangeEmailForm current={email} />
      </Section>
      <Section
        title="Password"
        intro="At least 12 characters. A password manager can create a strong one."
      >
        <UpdatePasswordForm
          currentLabel="Current password"
          onDone={() => toast.good(sessionStrings.passwordUpdated)}
        />
      </Section>
      <Section
        id="second-factor"
        title="Second factor"
        intro="A code from an app on your phone, in addition to your password."
      >
        <SecondFactor />
      </Section>
      <Section
        title="Sessions"
        intro="Where you are signed in. Lost a device? Sign it out and change your password."
      >
        <div className="grid gap-6">
          <SessionList />
          <SignOutPanel />
        </div>
      </Section>
      <Section
        title="Your data"
        intro="Everything we keep about you, in one file that other programs can read."
      >
        <ExportData />
      </Section>
      {role === "admin" ? null : (
        <Section
          title="Delete account"
          intro="This can't be undone. You may want to export your data first. What others wrote stays."
        >
          <DeleteAccount />
        </Section>
      )}
    </>
  );
}
