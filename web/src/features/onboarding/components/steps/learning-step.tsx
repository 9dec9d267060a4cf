import { BookOpen, GraduationCap, PenLine } from "lucide-react";
import { Miniature } from "@/ui/miniature.tsx";
import { learningStepStrings } from "../../strings.ts";
import { More, Thought } from "../thought.tsx";

const icons = [PenLine, BookOpen, GraduationCap] as const;

export function LearningStep() {
  return (
    <>
      <Thought picture={<SubmissionPicture />}>
        <p>{learningStepStrings.intro}</p>
        <div className="grid gap-4">
          {learningStepStrings.ways.map(({ name, about }, place) => {
            const Icon = icons[place] ?? BookOpen;
            return (
              <div key={name} className="grid grid-cols-[2rem_1fr]">
                <Icon aria-hidden className="mt-1 size-4.5 text-accent" />
                <div>
                  <h2 className="mt-0! text-base!">{name}</h2>
                  <p>{about}</p>
                </div>
              </div>
            );
          })}
        </div>
      </Thought>
      <More title={learningStepStrings.moreTitle}>
        {learningStepStrings.more.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </More>
    </>
  );
}

function SubmissionPicture() {
  const { type, title } = learningStepStrings.picture;
  return (
    <div data-accent="wealth" className="grid">
      <Miniature>
        <span className="justify-self-start rounded-full border border-accent px-2 py-0.5 font-medium text-accent">
          {type}
        </span>
        <p className="text-sm leading-tight font-semibold">{title}</p>
        <span className="h-1.5 w-full rounded-full bg-line" />
        <span className="h-1.5 w-11/12 rounded-full bg-line" />
        <span className="h-1.5 w-3/5 rounded-full bg-line" />
      </Miniature>
    </div>
  );
}
