import { learningStepStrings } from "../../strings.ts";
import { Prose } from "../prose.tsx";

export function LearningStep() {
  return (
    <Prose>
      <p>{learningStepStrings.intro}</p>
      <h2>{learningStepStrings.submissionsTitle}</h2>
      <p>{learningStepStrings.submissions}</p>
      <ul>
        {learningStepStrings.types.map(({ name, about }) => (
          <li key={name}>
            <strong>{name}</strong>
            {about}
          </li>
        ))}
      </ul>
      <p>{learningStepStrings.submissionsNeeded}</p>
      <h2>{learningStepStrings.articlesTitle}</h2>
      <p>
        {learningStepStrings.articles.before}
        <em>{learningStepStrings.articles.button}</em>
        {learningStepStrings.articles.after}
      </p>
      <h2>{learningStepStrings.coursesTitle}</h2>
      <p>{learningStepStrings.courses}</p>
    </Prose>
  );
}
