import {
  between,
  box,
  captionTop,
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

const { ink, muted, line, business, danger, paper } = filmColours;

const cues: readonly Cue[] = [
  {
    from: 0,
    to: 7,
    text: "What is your work worth to a buyer? Start with what they would do without you.",
  },
  {
    from: 7,
    to: 14,
    text: "You sand floors for a lettings agent. The next best choice is a general contractor, at £780.",
  },
  {
    from: 14,
    to: 21,
    text: "You finish two days sooner. At £38 a day in rent, that's worth £76.",
  },
  { from: 21, to: 27, text: "Your machine takes the dust away. No second clean-up saves £60." },
  {
    from: 27,
    to: 35,
    text: "You come back for 1 job in 20, they for 1 in 6. At £150 a time, that saves £17.",
  },
  {
    from: 35,
    to: 43,
    text: "Now what you cost them: you're booked ahead. 1 flat in 4 waits three days more, so take off £29.",
  },
  {
    from: 43,
    to: 50,
    text: "Add it up: £904. At any lower price, this agent is better off with you.",
  },
  {
    from: 50,
    to: 58,
    text: "Charge £850 and you share the gain: £54 for the agent, £70 more for you than the contractor gets.",
  },
  {
    from: 58,
    to: 66,
    text: "A home-owner loses no rent, so two of these lines go. Her sum is a different one.",
  },
  { from: 66, to: 73, text: "Make one sum for each kind of buyer, with a source for every line." },
];

interface Step {
  readonly label: readonly [string, string?];
  readonly amount: number;
  /** When it is added. */
  readonly at: number;
  readonly why: string;
  /** False for what a buyer without rent does not have. */
  readonly isForHome: boolean;
}

const steps: readonly Step[] = [
  { label: ["Contractor"], amount: 780, at: 9, why: "next best choice", isForHome: true },
  { label: ["2 days", "sooner"], amount: 76, at: 15.5, why: "2 × £38", isForHome: false },
  { label: ["No second", "clean-up"], amount: 60, at: 22, why: "", isForHome: true },
  {
    label: ["Fewer", "call-backs"],
    amount: 17,
    at: 29,
    why: "£150 × (1/6 − 1/20)",
    isForHome: true,
  },
  { label: ["Longer", "wait"], amount: -29, at: 37.5, why: "£38 × 3 ÷ 4", isForHome: false },
];

const worth = steps.reduce((sum, { amount }) => sum + amount, 0);
const price = 850;
const columnWidth = 132;
const pixelsPerPound = 0.345;
const bottom = 478;

function columnLeft(index: number): number {
  return 96 + index * 190;
}

function heightAt(amount: number): number {
  return bottom - amount * pixelsPerPound;
}

function label(index: number, [first, second = ""]: Step["label"], fill: string): string {
  const x = columnLeft(index) + columnWidth / 2;
  return [first, second]
    .map((words, row) =>
      text(x, bottom + 38 + row * 34, words, { anchor: "middle", size: 29, fill }),
    )
    .join("");
}

/** A column of the sum, standing on what was added before it. */
function column(step: Step, index: number, t: number): string {
  const start = steps.slice(0, index).reduce((sum, { amount }) => sum + amount, 0);
  const grown = step.amount * ramp(t, step.at, step.at + 1.2);
  const top = heightAt(Math.max(start, start + grown));
  const x = columnLeft(index);
  const gone = step.isForHome ? 0 : ramp(t, 59.5, 60.5);
  const sign = index === 0 ? "" : step.amount < 0 ? "−" : "+";
  const fill = step.amount < 0 ? danger : index === 0 ? muted : business;
  const height = Math.abs(grown) * pixelsPerPound;
  const from = heightAt(start);
  return group(
    ramp(t, step.at - 0.6, step.at),
    index === 0
      ? ""
      : path(
          [
            [columnLeft(index - 1) + columnWidth, from],
            [x, from],
          ],
          line,
          3,
        ),
    group(
      1 - gone,
      box(x, top, columnWidth, height, { fill }),
      text(x + columnWidth / 2, top - 18, `${sign}£${Math.abs(Math.round(grown))}`, {
        anchor: "middle",
        size: 38,
        weight: 650,
      }),
    ),
    group(
      gone,
      box(x, top, columnWidth, height, { fill: paper, stroke: muted, dashed: true }),
      text(x + columnWidth / 2, top - 18, "£0", {
        anchor: "middle",
        size: 38,
        weight: 650,
        fill: muted,
      }),
    ),
    label(index, step.label, gone > 0.5 ? muted : ink),
  );
}

/** What the newest line was computed from, above the chart. */
function reason(t: number): string {
  return steps
    .map(({ why, at }, index) => {
      const end = (steps[index + 1]?.at ?? 43.6) - 0.6;
      return group(
        ramp(t, at, at + 0.5) * (1 - ramp(t, end - 0.4, end)),
        text(1184, 98, why, { anchor: "end", size: 36, fill: muted }),
      );
    })
    .join("");
}

function total(t: number): string {
  const index = steps.length;
  const x = columnLeft(index);
  const grown = worth * ramp(t, 44, 45.2);
  const unknown = ramp(t, 60.5, 61.5);
  const height = grown * pixelsPerPound;
  const middle = x + columnWidth / 2;
  return group(
    ramp(t, 43.4, 44),
    group(
      1 - unknown,
      box(x, bottom - height, columnWidth, height, { fill: ink }),
      text(middle, bottom - height - 18, pounds(grown), {
        anchor: "middle",
        size: 42,
        weight: 650,
      }),
    ),
    group(
      unknown,
      box(x, heightAt(worth), columnWidth, worth * pixelsPerPound, {
        fill: paper,
        stroke: ink,
        dashed: true,
      }),
      text(middle, 330, "?", { anchor: "middle", size: 90, weight: 650 }),
    ),
    label(index, ["Worth", "to them"], ink),
  );
}

/** The price between the contractor's and the worth, and who gains what. */
function sharing(t: number): string {
  const x = columnLeft(steps.length);
  const y = heightAt(price);
  const drawn = ramp(t, 50.6, 51.6);
  const left = between(x + columnWidth, columnLeft(1), drawn);
  return group(
    ramp(t, 50.4, 50.8) * (1 - ramp(t, 57.6, 58)),
    box(x, heightAt(worth), columnWidth, (worth - price) * pixelsPerPound, { fill: business }),
    path(
      [
        [left, y],
        [x + columnWidth, y],
      ],
      business,
      4,
      true,
    ),
    group(
      ramp(t, 51.4, 52),
      box(448, 238, 464, 206, { fill: filmColours.raised, stroke: line }),
      text(480, 292, `Price ${pounds(price)}`, { size: 38, weight: 650, fill: business }),
      text(480, 350, `${pounds(worth - price)} for the agent`, { size: 36 }),
      text(480, 408, `${pounds(price - 780)} more for you`, { size: 36 }),
    ),
  );
}

function titleScene(t: number): string {
  return group(
    during(t, 0, 7),
    text(140, 250, "What is it worth", { size: 84, serif: true }),
    text(140, 350, "to them?", { size: 84, serif: true, fill: business }),
    group(
      ramp(t, 2.4, 3.2),
      text(140, 450, "Next best choice + what you gain them − what you cost them", {
        size: 34,
        fill: muted,
      }),
    ),
  );
}

function sumScene(t: number): string {
  const { left, right } = { left: 72, right: 1208 };
  const heading = t < 58 ? "For a lettings agent" : "For a home-owner";
  const change = t < 58 ? 1 - ramp(t, 57.5, 58) : ramp(t, 58, 58.5);
  return group(
    during(t, 7, 66),
    group(change, text(96, 98, heading, { size: 46, serif: true })),
    path(
      [
        [left, bottom],
        [right, bottom],
      ],
      line,
      3,
    ),
    reason(t),
    ...steps.map((step, index) => column(step, index, t)),
    total(t),
    sharing(t),
  );
}

function endScene(t: number): string {
  const rows = ["One sum for each kind of buyer.", "A source for every line."];
  return group(
    during(t, 66, 74),
    ...rows.map((words, index) =>
      group(
        ramp(t, 66.2 + index * 1.6),
        text(140, captionTop / 2 + index * 110, words, {
          size: 62,
          serif: true,
          fill: index === 0 ? business : ink,
        }),
      ),
    ),
  );
}

/** For the lesson “What It Is Worth to Them” of “Price It Properly”. */
export const worthToThem: Film = {
  name: "what-it-is-worth-to-them",
  cues,
  draw: (t) => [titleScene, sumScene, endScene].map((scene) => scene(t)).join(""),
};
