import { useSyllabus } from "../queries.ts";
import { courseStrings } from "../strings.ts";

/** What a course holds, lesson by lesson, for members who have not enrolled. */
export function Syllabus({ courseId }: { readonly courseId: string }) {
  const { data } = useSyllabus(courseId);
  // The page stands without it, so it neither waits for it nor complains.
  if (data === undefined || data.length === 0) return null;
  return (
    <ol className="grid gap-0.5 border-t border-line pt-3">
      {data.map(({ title, minutes }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- Two lessons may have the same title, and the list never changes in place.
        <li key={index} className="flex gap-3 py-1.5 text-sm">
          <span aria-hidden className="tabular w-5 shrink-0 text-right text-muted">
            {index + 1}
          </span>
          <span className="grow wrap-anywhere">{title}</span>
          <span className="tabular shrink-0 text-muted">{courseStrings.minutes(minutes)}</span>
        </li>
      ))}
    </ol>
  );
}
