import { ProgressCard } from "@/features/levels/index.ts";
import { useSession } from "@/features/session/index.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { HelpButton } from "./help-button.tsx";
import { ProfileCard } from "./profile-card.tsx";
import { SectionDoors } from "./section-doors.tsx";

/** `/studentdash` and `/mentordash`: who I am, how far, what next, and the sections as doors. */
export function MemberDashboard({ role }: { readonly role: "student" | "mentor" }) {
  const { profile } = useSession();
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        className="pb-0"
        title={profile?.firstName ? `Welcome back, ${profile.firstName}` : "Welcome back"}
        intro={
          role === "mentor"
            ? "Your own way through the levels, and the rooms where members ask."
            : "What you have done, and the next thing that counts."
        }
        actions={<HelpButton />}
      />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <ProfileCard />
        <ProgressCard />
      </div>
      <SectionDoors role={role} />
    </div>
  );
}
