import { brand } from "@/domain/brand.ts";
import { levels } from "@/domain/levels.ts";
import { RisingLine } from "@/ui/rising-line.tsx";
import { Prose } from "../prose.tsx";

export function WelcomeStep() {
  return (
    <>
      <RisingLine steps={levels} className="max-w-md" />
      <Prose>
        <p>
          {brand.name} is a place to get better at four things, in this order: being in good
          company, knowing what you are doing, running something that earns, and keeping what it
          brings. You are not expected to be good at any of them today.
        </p>
        <p>
          It works by doing. You talk with people who want similar things, you write down what you
          tried, you read and study, and what you do is counted. Enough of it opens the next level.
          Nothing else does: you can't buy or skip a level.
        </p>
        <h2>What the next few minutes are for</h2>
        <ol>
          <li>
            Four short pages on how everything works. Reading them saves you a week of guessing.
          </li>
          <li>Two pages of questions, so that you have your starting point in writing.</li>
          <li>
            One identity document, because we check that every member is who they say they are.
          </li>
        </ol>
        <p>
          Allow about fifteen minutes. Your place and your answers are saved each time you continue,
          so you can close this page and carry on later, on another device if you like.
        </p>
      </Prose>
    </>
  );
}
