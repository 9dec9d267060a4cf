import { Award, Share2 } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { certificatePath, paths } from "@/domain/paths.ts";
import { useSubscription } from "@/features/billing/index.ts";
import { useSession } from "@/features/session/index.ts";
import { longDate, noonOf } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { AchievementBadge } from "../components/achievement-badge.tsx";
import { NextAchievements } from "../components/next-achievements.tsx";
import { ShareDialog } from "../components/share-dialog.tsx";
import { streakText } from "../components/progress-text.ts";
import type { Achievements } from "../model/achievements.ts";
import type { ShareSubject } from "../model/shared-card.ts";
import { useAchievements } from "../queries.ts";
import { achievementStrings, explainAchievementError } from "../strings.ts";

/** `/achievements`: one's own achievements, the next ones, certificates, and what of it is shared. */
export function AchievementsPage() {
  const { data, isError, error, isFetching, refetch } = useAchievements();
  return (
    <div className="grid grid-cols-1 gap-10">
      <PageHeader
        className="pb-0"
        title={achievementStrings.title}
        intro={achievementStrings.intro}
      />
      {data ? (
        <PageBody achievements={data} />
      ) : isError ? (
        <LoadFailed
          title={achievementStrings.failed}
          reassurance={achievementStrings.reassurance}
          busy={isFetching}
          advice={explainAchievementError(error)}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={achievementStrings.loading} className="grid gap-3 sm:grid-cols-2">
          {[1, 2, 3, 4].map((each) => (
            <Skeleton key={each} className="h-20 rounded-card" />
          ))}
        </Loading>
      )}
    </div>
  );
}

function PageBody({ achievements }: { readonly achievements: Achievements }) {
  const { earned, next, streak, certificates, shared, is_shown: isShown } = achievements;
  const [subject, setSubject] = useState<ShareSubject | null>(null);
  const code =
    subject === null
      ? undefined
      : shared.find((each) =>
          "achievement" in subject
            ? each.achievement === subject.achievement
            : each.certificate_id === subject.certificateId,
        )?.code;
  return (
    <>
      <section aria-labelledby="streak" className="grid gap-1">
        <h2 id="streak" className="display text-xl">
          {achievementStrings.streakTitle}
        </h2>
        <p className="tabular">{streakText(streak) ?? achievementStrings.streakNone}</p>
        <p className="text-sm text-muted">{achievementStrings.streakRule}</p>
      </section>
      <section aria-labelledby="earned" className="grid gap-3">
        <h2 id="earned" className="display text-xl">
          {achievementStrings.achieved}
        </h2>
        {earned.length === 0 ? (
          <EmptyState title={achievementStrings.emptyTitle} action={<FirstStep />}>
            {achievementStrings.empty}
          </EmptyState>
        ) : (
          <>
            <p className="text-sm text-muted">
              {isShown ? achievementStrings.shown : achievementStrings.hidden}{" "}
              <TextLink to={`${paths.account}#directory`}>{achievementStrings.choose}</TextLink>
            </p>
            <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
              {earned.map((each) => (
                <AchievementBadge
                  key={each.key}
                  achievement={each}
                  action={
                    <ShareButton
                      title={each.title}
                      isShared={shared.some(({ achievement }) => achievement === each.key)}
                      onPress={() => setSubject({ achievement: each.key, title: each.title })}
                    />
                  }
                />
              ))}
            </ul>
          </>
        )}
      </section>
      <section aria-labelledby="certificates" className="grid gap-3">
        <h2 id="certificates" className="display text-xl">
          {achievementStrings.certificates}
        </h2>
        {certificates.length === 0 ? (
          <p className="text-muted">{achievementStrings.noCertificates}</p>
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {certificates.map(({ id, course, completed_on: day, is_revoked: isRevoked }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
                <Award aria-hidden className="size-5 shrink-0 text-muted" />
                <Link
                  to={certificatePath(id)}
                  className="min-w-0 grow basis-48 rounded-sm hover:underline"
                >
                  <bdi className="font-medium break-words">{course}</bdi>
                  <span className="block text-sm text-muted">{longDate(noonOf(day))}</span>
                </Link>
                {isRevoked ? (
                  <Badge colour="warn">{achievementStrings.revoked}</Badge>
                ) : (
                  <ShareButton
                    title={course}
                    isShared={shared.some(({ certificate_id: of }) => of === id)}
                    onPress={() => setSubject({ certificateId: id, title: course })}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      {next.length === 0 ? null : (
        <section aria-labelledby="next" className="grid gap-4">
          <h2 id="next" className="display text-xl">
            {achievementStrings.next}
          </h2>
          <NextAchievements next={next} />
        </section>
      )}
      <ShareDialog subject={subject} code={code} onClose={() => setSubject(null)} />
    </>
  );
}

/** The chat rooms, for those who may open them. */
function FirstStep() {
  const { role } = useSession();
  const { active } = useSubscription();
  if (!active && role !== "admin") return null;
  return (
    <Button asChild variant="secondary">
      <Link to={paths.chats}>{achievementStrings.toChats}</Link>
    </Button>
  );
}

function ShareButton({
  title,
  isShared,
  onPress,
}: {
  readonly title: string;
  readonly isShared: boolean;
  readonly onPress: () => void;
}) {
  return (
    <Button
      variant={isShared ? "secondary" : "quiet"}
      size="sm"
      className="shrink-0"
      aria-label={
        isShared ? achievementStrings.sharedLabel(title) : achievementStrings.shareLabel(title)
      }
      onClick={onPress}
    >
      <Share2 aria-hidden className="size-4" />
      {isShared ? achievementStrings.shared : achievementStrings.share}
    </Button>
  );
}
