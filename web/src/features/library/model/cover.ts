import type { Category } from "@/domain/categories.ts";

/** One shape of a cover. Coordinates are within {@link coverWidth} × {@link coverHeight}. */
export interface CoverShape {
  readonly d: string;
  /** How strong its colour is, 1 (a breath) to 4 (the accent itself). */
  readonly tone: 1 | 2 | 3 | 4;
  /** Width of the line; a filled shape has none. */
  readonly line?: number;
}

export const coverWidth = 320;
export const coverHeight = 180;

/** Numbers from 0 to 1 that are the same for the same word, wherever and whenever. */
function drawNumbers(word: string): () => number {
  let state = 2_166_136_261;
  for (const character of word) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Draw = (next: () => number) => CoverShape[];

const round = (value: number) => Math.round(value * 10) / 10;
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const toneOf = (share: number): CoverShape["tone"] => (share < 0.4 ? 1 : share < 0.75 ? 2 : 3);

function circle(x: number, y: number, radius: number): string {
  const [cx, cy, r] = [round(x), round(y), round(radius)];
  return `M${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

function box(x: number, y: number, width: number, height: number): string {
  return `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
}

/** Ripples from a point outside the picture: one thought moving the next. */
const ripples: Draw = (next) => {
  const [x, y] = [next() * 320, 150 + next() * 60];
  const marked = 2 + Math.floor(next() * 5);
  return [
    ...times(9, (ring): CoverShape => ({
      d: circle(x, y, 26 + ring * 24),
      tone: ring === marked ? 4 : 2,
      line: ring === marked ? 3 : 1.2,
    })),
    { d: circle(x, y, 9), tone: 4 },
  ];
};

/** Lines of a page, one of them marked. */
const pages: Draw = (next) => {
  const marked = 2 + Math.floor(next() * 4);
  const left = 44 + next() * 60;
  return times(8, (row): CoverShape => ({
    d: box(left, 26 + row * 17, 70 + next() * 130, row === marked ? 8 : 5),
    tone: row === marked ? 4 : row % 3 === 0 ? 1 : 2,
  }));
};

/** Circles that share ground. */
const overlaps: Draw = (next) => {
  const start = 60 + next() * 50;
  const step = 44 + next() * 22;
  const shown = 3 + Math.floor(next() * 2);
  return times(shown, (index): CoverShape[] => {
    const [x, y, radius] = [start + index * step, 90 + (next() - 0.5) * 36, 40 + next() * 22];
    return [
      { d: circle(x, y, radius), tone: 1 },
      { d: circle(x, y, radius), tone: index === shown - 1 ? 4 : 2, line: 1.6 },
    ];
  }).flat();
};

/** A plan in squares, a few of them built. */
const squares: Draw = (next) => {
  const built = 1 + Math.floor(next() * 26);
  return times(28, (index): CoverShape | null => {
    if (next() < 0.3 && index !== built) return null;
    const [column, row] = [index % 7, Math.floor(index / 7)];
    const d = box(34 + column * 37, 20 + row * 37, 29, 29);
    return { d, tone: index === built ? 4 : toneOf(next()) };
  }).filter((shape) => shape !== null);
};

/** Bars of different height: a week, a quarter, a year. */
const bars: Draw = (next) => {
  const best = Math.floor(next() * 9);
  return times(9, (index): CoverShape => {
    const height = 26 + next() * 70 + index * 5;
    return { d: box(31 + index * 30, 180 - height, 17, height), tone: index === best ? 4 : 2 };
  });
};

/** Roads that turn at right angles, one of them travelled. */
const roads: Draw = (next) => {
  const turn = 70 + next() * 120;
  const rise = 30 + next() * 50;
  const travelled = Math.floor(next() * 6);
  return times(6, (index): CoverShape => {
    const y = 165 - index * 13;
    const x = turn + index * 15;
    return {
      d: `M-10 ${round(y)}H${round(x)}V${round(y - rise)}H330`,
      tone: index === travelled ? 4 : 2,
      line: index === travelled ? 3.4 : 1.6,
    };
  });
};

/** Layers laid down over years. */
const strata: Draw = (next) =>
  times(5, (layer): CoverShape => {
    const y = 60 + layer * 25;
    const [one, two] = [y - 26 + next() * 40, y - 20 + next() * 44];
    return {
      d: `M0 ${round(y)}C90 ${round(one)} 200 ${round(two)} 320 ${round(y - 8 + next() * 16)}V180H0Z`,
      tone: layer === 4 ? 3 : layer > 1 ? 2 : 1,
    };
  });

/** The rings of a tree, and the year that counted. */
const growth: Draw = (next) => {
  const [x, y] = [110 + next() * 100, 84 + next() * 16];
  const year = 3 + Math.floor(next() * 5);
  const lean = 0.72 + next() * 0.2;
  return times(9, (ring): CoverShape => {
    const [rx, ry] = [round(10 + ring * 14 + next() * 4), round((10 + ring * 14) * lean)];
    return {
      d: `M${round(x - rx)} ${round(y)}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0`,
      tone: ring === year ? 4 : 2,
      line: ring === year ? 3 : 1.3,
    };
  });
};

/** A row that grows by the same share at every step. */
const compound: Draw = (next) => {
  const rate = 1.28 + next() * 0.1;
  let x = 16 + next() * 14;
  let radius = 6;
  const shapes: CoverShape[] = [];
  for (let step = 0; step < 7; step += 1) {
    shapes.push({ d: circle(x + radius, 146 - radius, radius), tone: step === 6 ? 4 : 2 });
    x += radius * 2 + 5;
    radius *= rate;
  }
  return [...shapes, { d: "M0 150H320", tone: 2, line: 1.4 }];
};

const motifs: Readonly<Record<Category, readonly [Draw, Draw, Draw]>> = {
  general: [ripples, pages, overlaps],
  business: [squares, bars, roads],
  wealth: [strata, growth, compound],
};

/**
 * The cover of an article or a course: the category gives the family, the topic the motifs, and the
 * slug draws one of them, always in the same way.
 */
export function drawCover(category: Category, topic: string, slug: string): CoverShape[] {
  const [first, second, third] = motifs[category];
  const next = drawNumbers(`${topic}/${slug}`);
  const own = Math.floor(drawNumbers(`${category}/${topic}`)() * 3);
  // Every other one borrows the next motif, so that a shelf is a family and not a set of copies.
  const choice = (own + (next() < 0.45 ? 1 : 0)) % 3;
  const draw = choice === 0 ? first : choice === 1 ? second : third;
  return draw(next);
}
