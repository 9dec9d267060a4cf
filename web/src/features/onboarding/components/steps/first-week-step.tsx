import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { Miniature } from "@/ui/miniature.tsx";
import { Tick } from "@/ui/tick.tsx";
import { firstWeekStepStrings } from "../../strings.ts";
import { More, Thought } from "../thought.tsx";

export function FirstWeekStep() {
  const { week, guarantee, privacy, support } = firstWeekStepStrings;
  return (
    <>
      <Thought picture={<FirstDaysPicture />}>
        <dl className="grid gap-3">
          {week.map(({ days, task }) => (
            <div key={days}>
              <dt className="text-sm font-semibold">{days}</dt>
              <dd>{task}</dd>
            </div>
          ))}
        </dl>
        <p>{guarantee}</p>
      </Thought>
      <div className="grid gap-3">
        <More title={firstWeekStepStrings.visibleTitle}>
          <p>{firstWeekStepStrings.visible}</p>
          <p>
            {privacy.before}
            <a
              className="font-medium underline underline-offset-4"
              href={`${paths.landing}#privacy`}
              target="_blank"
              rel="noreferrer"
            >
              {privacy.link}
            </a>
            {privacy.after}
          </p>
        </More>
        <More title={firstWeekStepStrings.documentTitle}>
          <p>{firstWeekStepStrings.document}</p>
        </More>
        <p className="text-sm text-muted">
          {support.before}
          <a
            className="font-medium underline underline-offset-4"
            href={`mailto:${brand.supportEmail}`}
          >
            {brand.supportEmail}
          </a>
          {support.after}
        </p>
      </div>
    </>
  );
}

function FirstDaysPicture() {
  const { title, tasks } = firstWeekStepStrings.picture;
  return (
    <div data-accent="community" className="grid">
      <Miniature>
        <p className="font-semibold text-accent">{title}</p>
        {tasks.map((task) => (
          <p key={task} className="flex items-center gap-2">
            <Tick done={false} />
            {task}
          </p>
        ))}
      </Miniature>
    </div>
  );
}
