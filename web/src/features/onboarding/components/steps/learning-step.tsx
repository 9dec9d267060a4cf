import { Prose } from "../prose.tsx";

export function LearningStep() {
  return (
    <Prose>
      <p>Three things are worth your time between two conversations. They work differently.</p>
      <h2>Learning submissions</h2>
      <p>
        A submission is a short, honest note to the others: a title, what happened, and a picture if
        it helps. Choose what it is:
      </p>
      <ul>
        <li>
          <strong>Progress report</strong>: what moved since the last one
        </li>
        <li>
          <strong>Before and after</strong>: the same thing, then and now
        </li>
        <li>
          <strong>Failure</strong>: what went wrong and what it cost, so that others need not pay
          again
        </li>
        <li>
          <strong>Success</strong>: what worked, with enough detail to be tried
        </li>
      </ul>
      <p>
        You need three of them to leave Level 1. The failures are read the most; do not save yours
        up.
      </p>
      <h2>Articles</h2>
      <p>
        Each takes a few minutes and says how many. Press <em>Mark as Read</em> when you have really
        read it: the button is at the top and again at the end. An article counts once, in its own
        category.
      </p>
      <h2>Courses</h2>
      <p>
        You enrol first, which costs nothing beyond your membership, and then work through the
        modules in order or out of it. When the last one is done the course counts as completed. You
        can leave a course for months and find it where you left it.
      </p>
    </Prose>
  );
}
