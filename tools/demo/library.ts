import { sales } from "./courses-on-sale.ts";
import { climbs } from "./people.ts";
import { share } from "./likes.ts";
import type { Calendar } from "./moments.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Main categories in the order in which the levels 2 to 4 open them. */
const categories = ["general", "business", "wealth"] as const;
export type DemoCategory = (typeof categories)[number];
/** What completes the level that opens a category, as in `level_requirements`. */
const needed = { articles: 25, courses: 5 } as const;

/** Published texts of the library, in the order of the shelves. */
export interface DemoLibrary {
  articles: readonly DemoText[];
  courses: readonly (DemoText & { address: string; lessons: readonly string[] })[];
}

interface DemoText {
  id: string;
  category: DemoCategory;
  /** First name of the mentor whose name it carries. */
  mentor: string | undefined;
}

/** What a member has done in the category of their current level. */
interface Reading {
  articles: number;
  courses: number;
  /** Lessons done of the course that is under way. */
  lessons: number;
  /** The article left open, besides those read. */
  opens?: true;
}

const readings: Readonly<Record<string, Reading>> = {
  Tom: { articles: 9, courses: 1, lessons: 2, opens: true },
  Ingrid: { articles: 3, courses: 0, lessons: 1, opens: true },
  Nadia: { articles: 11, courses: 3, lessons: 3, opens: true },
  Leila: { articles: 8, courses: 1, lessons: 0 },
  Callum: { articles: 10, courses: 2, lessons: 2, opens: true },
  Mei: { articles: 7, courses: 0, lessons: 3 },
  Gareth: { articles: 17, courses: 2, lessons: 0, opens: true },
  Seun: { articles: 13, courses: 2, lessons: 2 },
  Hannah: { articles: 9, courses: 1, lessons: 1, opens: true },
  Beatrice: { articles: 15, courses: 1, lessons: 3 },
  Rafael: { articles: 4, courses: 0, lessons: 2, opens: true },
};

/** One action in the library. */
export interface LibraryAction {
  kind: "open" | "read" | "stars" | "enrol" | "lesson" | "review";
  by: string;
  /** The article, the course or the lesson. */
  id: string;
  at: number;
  stars?: number;
  text?: string | undefined;
}

/** Where a course stands among those on sale, which members take first; behind them all for any other. */
function placeOnSale({ address }: { address: string }): number {
  const place = sales.findIndex(({ course }) => course === address);
  return place === -1 ? sales.length : place;
}

/** Nobody reads at three in the morning: those hours are moved into the next ones, if there is time. */
function awake(at: number, end: number): number {
  const isNight = new Date(at).getUTCHours() < 6;
  return isNight && at + 6 * hourMs < end ? at + 6 * hourMs : at;
}

function readArticles(
  by: string,
  ids: readonly string[],
  from: number,
  to: number,
): LibraryAction[] {
  const step = (to - from) / (ids.length + 1);
  return ids.flatMap((id, place) => {
    const at = awake(from + step * (place + 0.5 + 0.4 * share(`${by} reads ${id}`)), to);
    const open = { kind: "open", by, id, at: at - (4 + 5 * share(id)) * minuteMs } as const;
    const read = { kind: "read", by, id, at } as const;
    const mood = share(`${by} rates ${id}`);
    if (mood > 0.3) return [open, read];
    const stars = mood < 0.04 ? 3 : mood < 0.13 ? 4 : 5;
    return [open, read, { kind: "stars", by, id, at: at + minuteMs, stars } as const];
  });
}

function takeCourse(
  by: string,
  course: DemoLibrary["courses"][number],
  lessons: number,
  from: number,
  to: number,
): LibraryAction[] {
  const step = (to - from) / (lessons + 1);
  return [
    { kind: "enrol", by, id: course.id, at: from + 2 * minuteMs },
    ...course.lessons.slice(0, lessons).map((id, place) => {
      const at = from + step * (place + 0.6 + 0.3 * share(`${by} learns ${id}`));
      return { kind: "lesson", by, id, at } as const;
    }),
  ];
}

/** A whole course, and what the member said of it where it is on sale. */
function completeCourse(
  by: string,
  course: DemoLibrary["courses"][number],
  from: number,
  to: number,
): LibraryAction[] {
  const acts = takeCourse(by, course, course.lessons.length, from, to);
  const [stars, text] = sales[placeOnSale(course)]?.reviews[by] ?? [];
  const last = acts.at(-1);
  if (stars === undefined || last === undefined) return acts;
  return [...acts, { kind: "review", by, id: course.id, at: last.at + minuteMs, stars, text }];
}

/** Everything one member read and learned, with which they complete their levels at the right moments. */
export function libraryActionsOf(
  by: string,
  shelf: DemoLibrary,
  calendar: Calendar,
): LibraryAction[] {
  const climb = climbs[by];
  const reading = readings[by];
  if (!climb || !reading) return [];
  const reached = climb.reached.map((moment) => calendar.at(moment));
  return reached.flatMap((at, place) => {
    const category = categories[place];
    const end = reached[place + 1] ?? calendar.now - 20 * minuteMs;
    const isDone = place + 1 < reached.length;
    const from = at + hourMs;
    const to = end - hourMs * (isDone ? 1 : 0.3);
    const articles = shelf.articles
      .filter((article) => article.category === category && article.mentor !== by)
      .toSorted((left, right) => share(`${by} ${left.id}`) - share(`${by} ${right.id}`));
    const courses = shelf.courses
      .filter((course) => course.category === category && course.mentor !== by)
      .toSorted((left, right) => share(`${by} ${left.id}`) - share(`${by} ${right.id}`))
      .toSorted((left, right) => placeOnSale(left) - placeOnSale(right));
    const count = isDone ? needed : reading;
    const acts = readArticles(
      by,
      articles.slice(0, count.articles).map(({ id }) => id),
      from,
      to,
    );
    const left = articles[count.articles];
    if (!isDone && reading.opens && left) acts.push({ kind: "open", by, id: left.id, at: to });
    const span = (to - from) / (count.courses + 1);
    for (const [index, course] of courses.slice(0, count.courses).entries()) {
      const begin = from + span * index;
      acts.push(...completeCourse(by, course, begin, begin + span));
    }
    const underWay = courses[count.courses];
    if (!isDone && underWay && (reading.lessons > 0 || reading.opens)) {
      acts.push(...takeCourse(by, underWay, reading.lessons, to - span, to));
    }
    return acts;
  });
}
