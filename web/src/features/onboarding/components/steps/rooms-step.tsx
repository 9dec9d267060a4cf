import { Prose } from "../prose.tsx";

export function RoomsStep() {
  return (
    <Prose>
      <p>
        Rooms are where members talk every day. Each has one purpose, written at the top. Five are
        open to you from the start:
      </p>
      <ul>
        <li>
          <strong>General</strong>, to say hello and talk about anything that doesn't have its own
          room
        </li>
        <li>
          <strong>Accountability</strong>, to say what you will do today, and tonight whether you
          did
        </li>
        <li>
          <strong>Motivation</strong>, for the days when it's hard to get started
        </li>
        <li>
          <strong>Productivity</strong>, for schedules, tools and habits that last
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
          <strong>Talk to people, not at them.</strong> Disagree with what someone said, not with
          who they are.
        </li>
        <li>
          <strong>Say what you did, not what you are worth.</strong> Nobody here has to prove an
          income, and boasting about one helps nobody learn.
        </li>
        <li>
          <strong>What is said in a room stays there.</strong> No screenshots, no quoting a member
          elsewhere without asking.
        </li>
        <li>
          <strong>No selling in the rooms.</strong> No private pitches, no links to your own offers,
          no advice that pays you to give it.
        </li>
        <li>
          <strong>Don't post just to be counted.</strong> A like removed and given again counts
          once, and a hundred empty messages will get you a conversation with an administrator.
        </li>
      </ol>
      <p>
        If something is wrong, tell an administrator. You will get an answer from a person, and
        nobody is removed without one.
      </p>
    </Prose>
  );
}
