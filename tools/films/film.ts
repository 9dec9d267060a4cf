/** A caption: what is said from one moment to another, in seconds. */
export interface Cue {
  readonly from: number;
  readonly to: number;
  /** One or two short sentences. */
  readonly text: string;
}

/** A film that ships with the library: drawn, silent, with captions that carry the words. */
export interface Film {
  /** Name of its files in `web/public/films`. */
  readonly name: string;
  readonly cues: readonly Cue[];
  /** The contents of the SVG at this time. The captions cover what is below `captionTop`. */
  readonly draw: (seconds: number) => string;
}

const filmWidth = 1280;
const filmHeight = 720;
/** Players put captions below this line. */
export const captionTop = 566;

/** Seconds from the first frame to the last. */
export function lengthOf({ cues }: Film): number {
  return cues.at(-1)?.to ?? 0;
}

/** Tokens of the design language, light. */
export const filmColours = {
  paper: "oklch(0.985 0.004 95)",
  raised: "#fff",
  ink: "oklch(0.22 0.02 265)",
  muted: "oklch(0.48 0.02 265)",
  line: "oklch(0.9 0.008 95)",
  business: "oklch(0.55 0.13 65)",
  wealth: "oklch(0.48 0.11 160)",
  danger: "oklch(0.52 0.19 25)",
} as const;

/** How far something is between two moments: 0 before, 1 after, slow at both ends. */
export function ramp(seconds: number, from: number, to = from + 0.8): number {
  const part = Math.min(1, Math.max(0, (seconds - from) / (to - from)));
  return part * part * (3 - 2 * part);
}

/** 1 from one moment to another, else 0: scenes change by a cut, which takes less room in the file than a fade. */
export function during(seconds: number, from: number, to: number): number {
  return seconds >= from && seconds < to ? 1 : 0;
}

/** A value on its way from one to another. */
export function between(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

/** `1234.4` → `£1,234`. */
export function pounds(amount: number): string {
  const rounded = Math.round(amount);
  return `${rounded < 0 ? "−" : ""}£${Math.abs(rounded).toLocaleString("en-GB")}`;
}

interface TextLook {
  readonly size?: number;
  readonly fill?: string;
  readonly anchor?: "start" | "middle" | "end";
  readonly weight?: number;
  readonly serif?: boolean;
}

/** A line of text with its baseline at `y`. */
export function text(x: number, y: number, words: string, look: TextLook = {}): string {
  const { size = 32, fill = filmColours.ink, anchor = "start", weight = 500, serif = false } = look;
  const font = serif ? "Newsreader" : "Inter";
  const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${round(x)}" y="${round(y)}" font-family="${font}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}">${escaped}</text>`;
}

interface BoxLook {
  readonly fill?: string;
  readonly stroke?: string;
  readonly dashed?: boolean;
}

/** A box with slightly rounded corners, from its top left corner. */
export function box(
  x: number,
  y: number,
  width: number,
  height: number,
  { fill = filmColours.ink, stroke, dashed = false }: BoxLook = {},
): string {
  const edge =
    stroke === undefined
      ? ""
      : ` stroke="${stroke}" stroke-width="3"${dashed ? ' stroke-dasharray="8 8"' : ""}`;
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, width))}" height="${round(Math.max(0, height))}" rx="5" fill="${fill}"${edge}/>`;
}

/** A line through points. */
export function path(
  points: readonly (readonly [number, number])[],
  stroke: string,
  width = 4,
  dashed = false,
): string {
  const steps = points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${round(x)} ${round(y)}`);
  const dashes = dashed ? ' stroke-dasharray="8 8"' : "";
  return `<path d="${steps.join("")}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${dashes}/>`;
}

/** What is drawn together, at this opacity; nothing when it cannot be seen. */
export function group(opacity: number, ...parts: readonly string[]): string {
  return opacity <= 0 ? "" : `<g opacity="${round(opacity)}">${parts.join("")}</g>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The picture at a moment, as a whole SVG. */
export function drawFrame(film: Film, seconds: number): string {
  const size = `width="${filmWidth}" height="${filmHeight}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${filmWidth} ${filmHeight}"><rect ${size} fill="${filmColours.paper}"/>${film.draw(seconds)}</svg>`;
}

function timestamp(seconds: number): string {
  const whole = Math.floor(seconds);
  const part = (value: number, digits: number) => String(value).padStart(digits, "0");
  const ms = Math.round((seconds - whole) * 1000);
  return `${part(Math.floor(whole / 60), 2)}:${part(whole % 60, 2)}.${part(ms, 3)}`;
}

/** The captions as a WebVTT file. */
export function toVtt({ cues }: Film): string {
  const blocks = cues.map(({ from, to, text: words }) => {
    const escaped = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    return `${timestamp(from)} --> ${timestamp(to)}\n${escaped}\n`;
  });
  return `WEBVTT\n\n${blocks.join("\n")}`;
}
