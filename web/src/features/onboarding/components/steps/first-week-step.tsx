import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { firstWeekStepStrings } from "../../strings.ts";
import { Prose } from "../prose.tsx";

export function FirstWeekStep() {
  return (
    <Prose>
      <h2>{firstWeekStepStrings.visibleTitle}</h2>
      <p>{firstWeekStepStrings.visible}</p>
      <p>
        {firstWeekStepStrings.privacy.before}
        <a
          className="font-medium underline underline-offset-4"
          href={`${paths.landing}#privacy`}
          target="_blank"
          rel="noreferrer"
        >
          {firstWeekStepStrings.privacy.link}
        </a>
        {firstWeekStepStrings.privacy.after}
      </p>
      <h2>{firstWeekStepStrings.documentTitle}</h2>
      <p>{firstWeekStepStrings.document}</p>
      <h2>{firstWeekStepStrings.weekTitle}</h2>
      <ol>
        {firstWeekStepStrings.week.map(({ days, task }) => (
          <li key={days}>
            <strong>{days}</strong>
            {task}
          </li>
        ))}
      </ol>
      <p>
        {firstWeekStepStrings.support.before}
        <a
          className="font-medium underline underline-offset-4"
          href={`mailto:${brand.supportEmail}`}
        >
          {brand.supportEmail}
        </a>
        {firstWeekStepStrings.support.after}
      </p>
    </Prose>
  );
}
