import { lazy, Suspense, type ReactNode } from "react";
import { useLocation } from "react-router";
import { paths } from "@/domain/paths.ts";
import { MessageChoiceForm } from "@/features/messages/index.ts";
import { EditAnswers } from "@/features/onboarding/index.ts";
import { BlockedList, ProfileChoicesForm } from "@/features/people/index.ts";
import {
  ChangeEmailForm,
  providerStrings,
  sessionStrings,
  SignOutPanel,
  UpdatePasswordForm,
  useSession,
} from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { LinkTabs } from "@/ui/link-tabs.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { toast } from "@/ui/toast.tsx";
import { useEmail } from "../queries.ts";
import { AppearanceSettings } from "../components/appearance-settings.tsx";
import { DeleteAccount } from "../components/delete-account.tsx";
import { ExportData } from "../components/export-data.tsx";
import { NotificationSettings } from "../components/notification-settings.tsx";
import { ProfilePicture } from "../components/profile-picture.tsx";
import { SecondFactor } from "../components/second-factor.tsx";
import { SessionList } from "../components/session-list.tsx";
import { accountStrings } from "../strings.ts";
import { keyFactorStrings } from "../strings/security-keys.ts";

const Passkeys = lazy(() => import("../components/passkeys.tsx"));

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
      className="grid scroll-mt-20 gap-4 border-b border-line py-8 last:border-b-0 md:grid-cols-[16rem_minmax(0,28rem)] md:gap-10"
    >
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="mt-1 text-sm text-muted">{intro}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}

/**
 * The tabs of the page, each with the parts of the address that lead to it. The first of a tab is its own; the others are
 * also those of a section in it.
 */
const tabs = {
  profile: ["profile", "goals", "appearance"],
  notifications: ["notifications"],
  privacy: ["directory", "messages", "blocked"],
  signIn: ["sign-in", "passkeys", "second-factor"],
  data: ["data"],
} as const;
type Tab = keyof typeof tabs;
const tabNames = Object.keys(tabs) as readonly Tab[];

function useCurrentTab(): Tab {
  const asked = useLocation().hash.slice(1);
  return tabNames.find((tab) => tabs[tab].some((part) => part === asked)) ?? "profile";
}

/** `/account`: what members are shown as and aim for, what they hear of, who reaches them, and how they sign in. */
export function AccountPage() {
  const { user } = useSession();
  const current = useCurrentTab();
  if (user === null) return null;
  const Body = bodies[current];
  return (
    <>
      <PageHeader title={accountStrings.title} intro={accountStrings.intro} className="pb-2" />
      <div className="border-b border-line">
        <LinkTabs
          label={accountStrings.tabsLabel}
          className="-ml-3"
          tabs={tabNames.map((tab) => ({
            label: accountStrings.tabs[tab],
            to: `${paths.account}#${tabs[tab][0]}`,
            isCurrent: tab === current,
          }))}
        />
      </div>
      <Body />
    </>
  );
}

const bodies: Readonly<Record<Tab, () => ReactNode>> = {
  profile: ProfileTab,
  notifications: NotificationsTab,
  privacy: PrivacyTab,
  signIn: SignInTab,
  data: DataTab,
};

function ProfileTab() {
  const { role, onboardingComplete } = useSession();
  return (
    <>
      {onboardingComplete || role === "admin" ? (
        <Section {...accountStrings.profile}>
          <div className="grid gap-8">
            <ProfilePicture />
            <EditAnswers page={7} />
          </div>
        </Section>
      ) : null}
      {onboardingComplete ? (
        <Section id="goals" {...accountStrings.goals}>
          <EditAnswers page={6} />
        </Section>
      ) : null}
      <Section id="appearance" {...accountStrings.appearance}>
        <AppearanceSettings />
      </Section>
    </>
  );
}

function NotificationsTab() {
  return (
    <Section {...accountStrings.notifications}>
      <NotificationSettings />
    </Section>
  );
}

function PrivacyTab() {
  const { role, onboardingComplete } = useSession();
  return (
    <>
      {onboardingComplete ? (
        <Section {...accountStrings.directory}>
          <ProfileChoicesForm />
        </Section>
      ) : null}
      {onboardingComplete || role === "admin" ? (
        <Section id="messages" {...accountStrings.messages}>
          <MessageChoiceForm />
        </Section>
      ) : null}
      <Section id="blocked" {...accountStrings.blocked}>
        <BlockedList />
      </Section>
    </>
  );
}

/** Such as `Google and Apple`. */
function providerNames(providers: readonly string[]): string {
  const names: Readonly<Record<string, string>> = providerStrings.names;
  return providers.map((provider) => names[provider] ?? provider).join(" and ");
}

function SignInTab() {
  const { user } = useSession();
  const { data: email = user?.email ?? "" } = useEmail();
  const { config } = useBackend();
  const hasPassword = user?.hasPassword !== false;
  const passwordSection = hasPassword
    ? accountStrings.password
    : {
        ...accountStrings.firstPassword,
        intro: accountStrings.firstPassword.intro(providerNames(user?.providers ?? [])),
      };
  return (
    <>
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
      <Section {...passwordSection}>
        <UpdatePasswordForm
          currentLabel={hasPassword ? accountStrings.currentPassword : null}
          onDone={() => toast.good(sessionStrings.passwordUpdated)}
        />
      </Section>
      {config.passkeys ? (
        <Section id="passkeys" {...accountStrings.passkeys}>
          <Suspense>
            <Passkeys />
          </Suspense>
        </Section>
      ) : null}
      <Section
        id="second-factor"
        {...accountStrings.secondFactor}
        {...(config.securityKeys && { intro: keyFactorStrings.intro })}
      >
        <SecondFactor />
      </Section>
      <Section {...accountStrings.sessions}>
        <div className="grid gap-6">
          <SessionList />
          <SignOutPanel />
        </div>
      </Section>
    </>
  );
}

function DataTab() {
  const { role } = useSession();
  return (
    <>
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
