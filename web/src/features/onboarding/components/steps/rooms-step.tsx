import { Prose } from "../prose.tsx";

export function RoomsStep() {
  return (
    <Prose>
      <p>
        Rooms are where the day happens. Each has one purpose, written at the top. Five are open to
        you from the start:
      </p>
      <ul>
        <li>
          <strong>General</strong>, to say hello and talk about anything that has no room of its own
        </li>
        <li>
          <strong>Accountability</strong>, to say what you will do today, and tonight whether you
          did
        </li>
        <li>
          <strong>Motivation</strong>, for the days on which it is hard to begin
        </li>
        <li>
          <strong>Productivity</strong>, for hours, tools and habits that hold up
        </li>
        <li>
          <strong>Success</strong>, for what worked, small things included
        </li>
      </ul>
      <p>
        Names carry a colour: blue for members, purple for mentors, red for administrators. Rooms of
        later levels stay in the list with a lock and the level that opens them.
      </p>
      <h2>House rules</h2>
      <ol>
        <li>
          <strong>Talk to people, not at them.</strong> Disagree with what was said, never with who
          somebody is.
        </li>
        <li>
          <strong>Say what you did, not what you are worth.</strong> Nobody here has to prove an
          income, and boasting about one helps nobody learn.
        </li>
        <li>
          <strong>What is said in a room stays in the house.</strong> No screenshots, no quoting a
          member elsewhere without asking.
        </li>
        <li>
          <strong>No selling in the rooms.</strong> No private pitches, no links to your own offers,
          no advice that pays you to give it.
        </li>
        <li>
          <strong>Writing to be counted does not count for much.</strong> A like taken back and
          given again is one like; a hundred empty messages get a conversation with an
          administrator.
        </li>
      </ol>
      <p>
        If something is wrong, tell an administrator. You will get an answer from a person, and
        nobody is removed without one.
      </p>
    </Prose>
  );
}
