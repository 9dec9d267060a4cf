import {
  between,
  box,
  filmColours,
  during,
  group,
  path,
  pounds,
  ramp,
  text,
  type Cue,
  type Film,
} from "./film.ts";

const { ink, muted, line, wealth, danger } = filmColours;

const cues: readonly Cue[] = [
  {
    from: 0,
    to: 6,
    text: "An index fund follows one rule: own the whole list, and choose nothing.",
  },
  { from: 6, to: 12, text: "Here's a short list of companies. Each bar shows how large one is." },
  {
    from: 12,
    to: 18,
    text: "You put in £1,000. The fund buys all five, each in proportion to its size.",
  },
  { from: 18, to: 23, text: "A year passes. Damson has a good year, and Elm a bad one." },
  {
    from: 23,
    to: 29,
    text: "The fund does nothing. What grows becomes a larger part by itself.",
  },
  {
    from: 29,
    to: 35,
    text: "Now Elm is too small for the list. The fund sells it and buys Fir, the next one on it.",
  },
  {
    from: 35,
    to: 41,
    text: "A computer can do all this, so it's cheap: this fund charges 0.19% a year.",
  },
  {
    from: 41,
    to: 49,
    text: "Say £1,000 grows by 5% a year before charges. After 30 years, the cheap fund holds £4,082.",
  },
  { from: 49, to: 56, text: "A fund that charges 1.5% holds £2,746. The charge took the rest." },
  {
    from: 56,
    to: 63,
    text: "It can also fall. In a very bad year, £5,000 in shares may become about £2,700, or less.",
  },
  { from: 63, to: 69, text: "With 40% in bonds, it may be about £3,600, but expect less growth." },
  {
    from: 69,
    to: 76,
    text: "So: own the whole list, pay little, and choose a mix you can sit still with.",
  },
];

interface Company {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

const companies: readonly Company[] = [
  { name: "Alder", before: 400, after: 360 },
  { name: "Birch", before: 250, after: 275 },
  { name: "Cedar", before: 180, after: 189 },
  { name: "Damson", before: 120, after: 180 },
  { name: "Elm", before: 50, after: 20 },
];

const barLeft = 300;
const pixelsPerPound = 1.55;
const rowHeight = 76;
const firstRow = 150;

function companyRow({ name, before, after }: Company, index: number, t: number): string {
  const y = firstRow + index * rowHeight;
  const grown = ramp(t, 6.4 + index * 0.35);
  const value = between(before, after, ramp(t, 19, 20.6));
  const width = value * pixelsPerPound * grown;
  const isElm = name === "Elm";
  const leaves = isElm ? ramp(t, 30, 31) : 0;
  const fill = name === "Damson" && t > 18 ? wealth : ink;
  const parts = [
    text(barLeft - 28, y + 40, name, { anchor: "end", weight: 600, size: 34 }),
    box(barLeft, y, width, 54, { fill: t >= 12 ? fill : muted }),
    group(
      ramp(t, 12.6 + index * 0.35) * (1 - ramp(t, 23.4, 24)),
      text(barLeft + width + 20, y + 40, pounds(value), { size: 34, weight: 600 }),
    ),
    group(
      ramp(t, 24),
      text(barLeft + width + 20, y + 40, `${Math.round((after / 1024) * 100)}%`, {
        size: 34,
        weight: 600,
      }),
      text(barLeft + width + 118, y + 40, `was ${before / 10}%`, { size: 30, fill: muted }),
    ),
  ];
  return group(grown * (1 - leaves), ...parts);
}

/** The company that takes Elm's place, coming from below. */
function fir(t: number): string {
  const arrives = ramp(t, 31.4, 32.4);
  const y = firstRow + 4 * rowHeight + (1 - arrives) * 40;
  const width = 20 * pixelsPerPound;
  return group(
    arrives,
    text(barLeft - 28, y + 40, "Fir", { anchor: "end", weight: 600, size: 34, fill: wealth }),
    box(barLeft, y, width, 54, { fill: wealth }),
    text(barLeft + width + 20, y + 40, "2%", { size: 34, weight: 600 }),
    text(barLeft + width + 118, y + 40, "new on the list", { size: 30, fill: muted }),
  );
}

function listScene(t: number): string {
  const held = between(1000, 1024, ramp(t, 19, 20.6));
  return group(
    during(t, 6, 35),
    text(96, 98, "The list", { size: 46, serif: true }),
    group(
      ramp(t, 12.4),
      text(1184, 98, `Your money: ${pounds(held)}`, { anchor: "end", size: 38, weight: 600 }),
    ),
    ...companies.map((company, index) => companyRow(company, index, t)),
    fir(t),
  );
}

function titleScene(t: number): string {
  const drawn = ramp(t, 0.6, 3.4);
  const points = Array.from({ length: 61 }, (_, index): [number, number] => {
    const x = (index / 60) * drawn;
    return [140 + x * 1000, 500 - 230 * x ** 1.7];
  });
  return group(
    during(t, 0, 6),
    text(140, 190, "A fund that doesn’t choose", { size: 76, serif: true }),
    path(points, wealth, 6),
  );
}

const growth = 0.05;
const years = 30;
const cheap = 0.0019;
const dear = 0.015;

/** What £1,000 has become after some years, with a charge taken each year. */
export function valueAfter(elapsed: number, charge: number): number {
  return 1000 * ((1 + growth) * (1 - charge)) ** elapsed;
}

const chart = { left: 150, right: 960, top: 150, bottom: 490, highest: 4400 };

function growthLine(charge: number, shown: number): [number, number][] {
  return Array.from({ length: 61 }, (_, index): [number, number] => {
    const year = (index / 60) * years * shown;
    const x = chart.left + ((chart.right - chart.left) * year) / years;
    const share = valueAfter(year, charge) / chart.highest;
    return [x, chart.bottom - (chart.bottom - chart.top) * share];
  });
}

function lineLabel(charge: number, shown: number, name: string, fill: string): string {
  const [x, y] = growthLine(charge, shown).at(-1) ?? [0, 0];
  return group(
    ramp(shown, 0.04, 0.2),
    text(x + 24, y + 4, pounds(valueAfter(years * shown, charge)), { size: 40, weight: 650, fill }),
    text(x + 24, y + 44, name, { size: 30, fill: muted }),
  );
}

function chargeScene(t: number): string {
  const { left, right, bottom } = chart;
  const fast = ramp(t, 42, 44.4);
  const slow = ramp(t, 49.4, 51.4);
  return group(
    during(t, 35, 56),
    text(96, 98, "The charge", { size: 46, serif: true }),
    group(
      1 - ramp(t, 40.5, 41),
      text(640, 290, "0.19%", { anchor: "middle", size: 120, weight: 650, fill: wealth }),
      text(640, 372, "£1.90 a year for each £1,000", { anchor: "middle", size: 42 }),
    ),
    group(
      ramp(t, 41, 41.6),
      path(
        [
          [left, bottom],
          [right, bottom],
        ],
        line,
        3,
      ),
      text(left, bottom + 44, "£1,000 today", { size: 30, fill: muted }),
      text(right, bottom + 44, "30 years", { size: 30, fill: muted, anchor: "end" }),
      path(growthLine(cheap, fast), wealth, 6),
      lineLabel(cheap, fast, "charge 0.19%", wealth),
      group(ramp(slow, 0, 0.05), path(growthLine(dear, slow), ink, 6)),
      lineLabel(dear, slow, "charge 1.5%", ink),
    ),
    group(
      ramp(t, 52, 52.6),
      text(left, 200, `Difference ${pounds(valueAfter(years, cheap) - valueAfter(years, dear))}`, {
        size: 36,
        weight: 600,
      }),
      text(left, 244, "An example, not a forecast", { size: 28, fill: muted }),
    ),
  );
}

function fallingBar(x: number, name: string, value: number, opacity: number, fill: string): string {
  const height = (value / 5000) * 290;
  return group(
    opacity,
    box(x, 170, 220, 290, { fill: "none", stroke: muted, dashed: true }),
    box(x, 460 - height, 220, height, { fill }),
    text(x + 110, 440 - height, pounds(value), { anchor: "middle", size: 40, weight: 650 }),
    text(x + 110, 512, name, { anchor: "middle", size: 34 }),
  );
}

function fallScene(t: number): string {
  const shares = between(5000, 2700, ramp(t, 58, 59.2));
  const mix = between(5000, 3600, ramp(t, 64.4, 66));
  return group(
    during(t, 56, 69),
    text(96, 98, "A very bad year", { size: 46, serif: true }),
    fallingBar(300, "All shares", shares, ramp(t, 56.4), danger),
    fallingBar(760, "60% shares, 40% bonds", mix, ramp(t, 63), wealth),
  );
}

function endScene(t: number): string {
  const lines = ["Own the whole list.", "Pay little.", "Choose a mix you can sit still with."];
  return group(
    during(t, 69, 77),
    ...lines.map((words, index) =>
      group(
        ramp(t, 69.2 + index * 1.4),
        text(140, 220 + index * 110, words, {
          size: 62,
          serif: true,
          fill: index === 0 ? wealth : ink,
        }),
      ),
    ),
  );
}

/** For the lesson “A Fund That Doesn’t Choose” of “Your First Fund”. */
export const indexFund: Film = {
  name: "a-fund-that-does-not-choose",
  cues,
  draw: (t) =>
    [titleScene, listScene, chargeScene, fallScene, endScene].map((scene) => scene(t)).join(""),
};
