import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { Prose } from "../prose.tsx";

export function FirstWeekStep() {
  return (
    <Prose>
      <h2>What other members can see</h2>
      <p>
        Members see your name, your occupation, the few words you write about yourself, your role
        and what you post. They never see your email address, your card, your answers to the
        questions on the next page or your identity document.
      </p>
      <p>
        Your card is held by our payment provider and never reaches us. You can export everything we
        keep about you at any time under Account.{" "}
        <a
          className="font-medium underline underline-offset-4"
          href={`${paths.landing}#privacy`}
          target="_blank"
          rel="noreferrer"
        >
          The privacy page
        </a>{" "}
        has the long version.
      </p>
      <h2>Why we ask for a document</h2>
      <p>
        So that you know the people you take advice from are real. An administrator compares your
        document with your name and says yes or no, usually within a day or two. You can use your
        membership in the meantime. The file is seen by administrators alone and deleted thirty days
        after the decision; only the decision is kept.
      </p>
      <h2>A good first week</h2>
      <ol>
        <li>
          <strong>Day one:</strong> say hello in General. One sentence about what you do and one
          about what you want to change is plenty.
        </li>
        <li>
          <strong>Days two and three:</strong> open the other four rooms and reply to someone in
          each. A reply starts more conversations than an announcement.
        </li>
        <li>
          <strong>Day four:</strong> post your first learning submission. Describe where you are
          starting from; you will want to compare.
        </li>
        <li>
          <strong>Days five and six:</strong> pick one thing, say in Accountability that you will do
          it, do it, and come back to say so.
        </li>
        <li>
          <strong>Day seven:</strong> look at your dashboard. It shows what is left before Level 2,
          and the next thing that counts.
        </li>
      </ol>
      <p>
        Stuck? Write to{" "}
        <a
          className="font-medium underline underline-offset-4"
          href={`mailto:${brand.supportEmail}`}
        >
          {brand.supportEmail}
        </a>
        .
      </p>
    </Prose>
  );
}
