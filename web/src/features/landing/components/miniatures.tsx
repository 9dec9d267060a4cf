import type { ReactNode } from "react";
import { classNames } from "@/ui/class-names.ts";
import { Miniature } from "@/ui/miniature.tsx";
import { Tick } from "@/ui/tick.tsx";
import { faces } from "../strings/faces.ts";
import { miniatures, weekPictures, type RoomLine } from "../strings/pictures.ts";
import { Face } from "./face.tsx";

function Line({ line }: { readonly line: RoomLine }) {
  return (
    <div className="flex gap-2">
      <Face name={line.name} picture={faces[line.name]} size={24} />
      <div>
        <p className="font-semibold">{line.name}</p>
        <p>{line.text}</p>
      </div>
    </div>
  );
}

function Room() {
  return (
    <>
      <p className="font-semibold text-accent">{miniatures.room.name}</p>
      {miniatures.room.lines.map((line) => (
        <Line key={line.text} line={line} />
      ))}
    </>
  );
}

function Article() {
  return (
    <>
      <p className="font-semibold text-accent">{miniatures.article.shelf}</p>
      <p className="display text-base leading-tight">{miniatures.article.title}</p>
      <p>{miniatures.article.text}</p>
      {["w-full", "w-11/12", "w-3/5"].map((width) => (
        <span key={width} className={classNames("h-1.5 rounded-full bg-line", width)} />
      ))}
    </>
  );
}

function Course() {
  return (
    <>
      <p className="font-semibold text-accent">{miniatures.course.title}</p>
      {miniatures.course.lessons.map((lesson, place) => (
        <p key={lesson} className="flex items-center gap-2">
          <Tick done={place < miniatures.course.done} />
          {lesson}
        </p>
      ))}
    </>
  );
}

function Sheet() {
  const { title, rows, total } = miniatures.sheet;
  return (
    <>
      <p className="font-semibold text-accent">{title}</p>
      {rows.map(([label, value]) => (
        <p key={label} className="flex justify-between border-b border-line pb-1.5">
          {label} <span className="tabular">{value}</span>
        </p>
      ))}
      <p className="flex justify-between font-semibold">
        {total[0]} <span className="tabular">{total[1]}</span>
      </p>
    </>
  );
}

const levelPictures = [Room, Article, Course, Sheet] as const;

/** What a level opens: a room, an article, a course, a sheet. */
export function LevelPicture({ level }: { readonly level: number }) {
  const Picture = levelPictures[level - 1];
  return Picture === undefined ? null : (
    <Miniature className="sm:min-h-44">
      <Picture />
    </Miniature>
  );
}

function Chip({ children }: { readonly children: ReactNode }) {
  return (
    <span className="justify-self-start rounded-full border border-accent px-2 py-0.5 font-medium text-accent">
      {children}
    </span>
  );
}

const { pact, bar, reply, course, failure } = weekPictures;

const dayPictures = [
  <>
    <Chip>{pact.kind}</Chip>
    <p className="text-sm leading-tight font-semibold">{pact.title}</p>
    <p className="text-muted">{pact.due}</p>
    <p className="flex items-center gap-1.5">
      <span className="flex">
        {(["Tom", "Leila", "Kofi"] as const).map((name) => (
          <Face
            key={name}
            name={name}
            picture={faces[name]}
            size={22}
            className="-mr-1.5 border-2 border-raised"
          />
        ))}
      </span>
      <span className="pl-2">{pact.witnesses}</span>
    </p>
  </>,
  <>
    <p className="font-semibold text-accent">{bar.title}</p>
    <p className="tabular">{bar.articles}</p>
    <span data-meter="" className="h-2 overflow-hidden rounded-full bg-line">
      <span className="block h-full rounded-full bg-accent" style={{ width: `${bar.share}%` }} />
    </span>
  </>,
  <>
    <p className="border-l-2 border-control-line pl-2 text-muted">{reply.question}</p>
    <Line line={{ name: reply.name, text: reply.answer }} />
  </>,
  <>
    <p className="flex items-center gap-2 font-semibold">
      <Tick done /> {course.title}
    </p>
    <p className="text-muted">{course.done}</p>
    <span data-meter="" className="h-2 overflow-hidden rounded-full bg-line">
      <span className="block h-full w-1/2 rounded-full bg-accent" />
    </span>
    <p className="tabular">{course.progress}</p>
  </>,
  <>
    <Chip>{failure.kind}</Chip>
    <p className="text-sm leading-tight font-semibold">{failure.title}</p>
    <span className="h-1.5 w-full rounded-full bg-line" />
    <span className="h-1.5 w-4/5 rounded-full bg-line" />
  </>,
] as const;

const dayAccents = ["business", "knowledge", "community", "business", "wealth"] as const;

/** The screen of a day of the week, from 0. */
export function DayPicture({ day }: { readonly day: number }) {
  return (
    <div data-accent={dayAccents[day]} className="grid">
      <Miniature className="sm:min-h-40">{dayPictures[day]}</Miniature>
    </div>
  );
}
