import { Inbox } from "lucide-react";
import { Alert } from "./alert.tsx";
import { Avatar } from "./avatar.tsx";
import { BarChart } from "./bar-chart.tsx";
import { Badge, LevelBadge, RoleBadge } from "./badge.tsx";
import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import { EmptyState } from "./empty-state.tsx";
import { LevelStrip } from "./level-strip.tsx";
import { PageHeader } from "./page-header.tsx";
import { ProgressBar, ProgressRing } from "./progress.tsx";
import { RisingLine, Wordmark } from "./rising-line.tsx";
import { Loading, Skeleton } from "./skeleton.tsx";
import { StatFigure } from "./stat-figure.tsx";
import type { StoryGroup } from "./story.ts";

const steps = [
  { number: 1, name: "Community", accent: "community" },
  { number: 2, name: "Knowledge", accent: "knowledge" },
  { number: 3, name: "Business", accent: "business" },
  { number: 4, name: "Wealth", accent: "wealth" },
] as const;

export default {
  title: "Content and feedback",
  stories: {
    "Alert, four tones": () => (
      <div className="grid gap-3">
        <Alert tone="danger">The card was declined.</Alert>
        <Alert tone="warn" title="Two attempts left">
          The form closes after the fifth.
        </Alert>
        <Alert tone="good">Your password has been changed.</Alert>
        <Alert tone="info" action={<Button size="sm">Look again</Button>}>
          The payment is on its way.
        </Alert>
      </div>
    ),
    Badges: () => (
      <div className="flex flex-wrap items-center gap-2">
        <Badge>Draft</Badge>
        <Badge colour="good">Active</Badge>
        <Badge colour="warn">Past due</Badge>
        <Badge colour="danger">Rejected</Badge>
        <RoleBadge role="admin" label="Admin" />
        <RoleBadge role="mentor" label="Mentor" />
        <RoleBadge role="student" label="Student" />
      </div>
    ),
    "Level badges": () => (
      <div className="flex flex-wrap gap-2">
        {steps.map((step) => (
          <LevelBadge key={step.number} {...step} />
        ))}
      </div>
    ),
    "Level strip": () => <LevelStrip title="Level Advancements" steps={steps} current={2} />,
    "Level strip with progress": () => (
      <LevelStrip title="Level Advancements" steps={steps} current={1} progress={{ percent: 42 }} />
    ),
    "Rising line": () => <RisingLine steps={steps} reached={2} />,
    "Rising line that draws itself": () => <RisingLine steps={steps} reached={3} drawing />,
    Wordmark: () => <Wordmark name="Wordmark" />,
    "Progress bar": () => (
      <div className="grid gap-4" data-accent="knowledge">
        <ProgressBar label="Articles" value={36} valueText="9 of 25" />
        <ProgressBar label="Courses" value={0} />
        <ProgressBar label="Rooms" value={100} />
      </div>
    ),
    "Progress ring": () => (
      <div className="flex items-center gap-6" data-accent="wealth">
        <ProgressRing label="Overall" value={64}>
          <span className="display tabular text-2xl">64%</span>
        </ProgressRing>
        <ProgressRing label="Overall" value={0} size={72}>
          <span className="tabular text-sm">0%</span>
        </ProgressRing>
      </div>
    ),
    "Bar chart": () => (
      <div className="grid gap-6" data-accent="knowledge">
        <BarChart
          label="Articles read: 24 in seven weeks"
          bars={[0, 3, 5, 1, 0, 8, 7].map((value, week) => ({ label: `Week ${week + 1}`, value }))}
        />
        <BarChart label="Courses: none" bars={[{ label: "This week", value: 0 }]} />
      </div>
    ),
    Figures: () => (
      <dl className="grid grid-cols-2 gap-6">
        <StatFigure label="Likes received" value="1,024" note="12 this week" />
        <StatFigure label="Lessons" value="0" />
      </dl>
    ),
    Skeleton: () => (
      <Loading label="Loading" className="grid gap-3">
        <Skeleton className="h-8 w-1/2" />
        <Skeleton />
        <Skeleton className="w-3/4" />
      </Loading>
    ),
    "Empty state": () => (
      <EmptyState
        icon={<Inbox />}
        title="Nothing here yet"
        action={<Button>Write the first</Button>}
      >
        What members share appears here, newest first.
      </EmptyState>
    ),
    "Card and people": () => (
      <Card className="flex items-center gap-4">
        <Avatar id="ada" name="Ada Lovelace" />
        <div>
          <p className="font-medium">Ada Lovelace</p>
          <p className="text-sm text-muted">Analyst</p>
        </div>
      </Card>
    ),
    "Page header": () => (
      <PageHeader
        eyebrow="Knowledge"
        title="Habits that last"
        intro="Twelve articles on doing a thing every day."
        actions={<Button variant="secondary">Filter</Button>}
      />
    ),
  },
} satisfies StoryGroup;
