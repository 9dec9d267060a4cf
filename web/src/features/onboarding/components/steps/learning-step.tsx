import { Prose } from "../prose.tsx";

export function LearningStep() {
  return (
    <Prose>
      <p>Between conversations, there are three ways to learn. They work differently.</p>
      <h2>Learning submissions</h2>
      <p>
        A submission is a short, honest note to other members: a title, what happened, and a picture
        if it helps. Choose its type:
      </p>
      <ul>
        <li>
          <strong>Progress report</strong>: what moved since the last one
        </li>
        <li>
          <strong>Before and after</strong>: the same thing, then and now
        </li>
        <li>
          <strong>Failure</strong>: what went wrong and what it cost, so that others can avoid it
        </li>
        <li>
          <strong>Success</strong>: what worked, with enough detail for others to try it
        </li>
      </ul>
      <p>
        You need some of them to complete Level 1. Failures are read the most, so don't hold yours
        back.
      </p>
      <h2>Articles</h2>
      <p>
        Each shows how many minutes it takes to read. Press <em>Mark as Read</em> when you have
        really read it: the button is at the top and again at the end. An article counts once, in
        its own category.
      </p>
      <h2>Courses</h2>
      <p>
        You enrol first, which is included in your membership, and then work through the modules in
        any order. When the last one is done the course counts as completed. You can come back to a
        course months later and carry on where you left off.
      </p>
    </Prose>
  );
}
