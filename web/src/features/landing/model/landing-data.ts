import * as z from "zod/mini";
import { knownItems } from "@/domain/known-items.ts";
import type { SoldPlan } from "./sold-plan.ts";

const person = { name: z.nullable(z.string()), occupation: z.nullable(z.string()) };
const shape = z.object({
  headline: z.nullable(z.string()),
  lead: z.nullable(z.string()),
  host: z.nullable(
    z.object({ ...person, picture: z.nullable(z.string()), about: z.nullable(z.string()) }),
  ),
  outcomes: z.array(
    z.object({
      ...person,
      picture: z.nullable(z.string()),
      title: z.string(),
      text: z.string(),
      type: z.string(),
    }),
  ),
  is_trial: z.boolean(),
  rooms: z.number(),
  articles: z.number(),
  courses: z.number(),
  mentors: z.number(),
  portraits: z.array(z.object({ ...person, picture: z.nullable(z.string()) })),
  free_lesson: z.nullable(
    z.object({
      slug: z.string(),
      course: z.string(),
      lesson: z.string(),
      mentor: z.string(),
    }),
  ),
  plans: knownItems(
    z.object({
      role: z.enum(["student", "mentor"]),
      name: z.string(),
      currency: z.string(),
      monthly_pence: z.number(),
      yearly_pence: z.nullable(z.number()),
    }),
  ),
  claims: z.nullable(z.object({ decided: z.number(), granted: z.number() })),
  seller: z.nullable(
    z.object({
      legal_name: z.nullable(z.string()),
      address: z.nullable(z.string()),
      company_number: z.nullable(z.string()),
      vat_number: z.nullable(z.string()),
    }),
  ),
});

/** A person whom the page shows. */
export interface ShownPerson {
  readonly name: string;
  readonly occupation: string | null;
  /** Address of the picture on this site; null for none. */
  readonly picture: string | null;
}

/** What a member achieved, in that member's words. */
export interface Outcome extends ShownPerson {
  readonly title: string;
  /** The beginning of the text, in whole sentences. */
  readonly text: string;
}

/** What the landing page shows of the database. */
export interface LandingData {
  /** An owner's words in place of ours. */
  readonly headline: string | null;
  readonly lead: string | null;
  readonly host: (ShownPerson & { readonly about: readonly string[] }) | null;
  readonly outcomes: readonly Outcome[];
  /** The members are those of the demo. */
  readonly isTrial: boolean;
  readonly counts: {
    readonly rooms: number;
    readonly articles: number;
    readonly courses: number;
    readonly mentors: number;
  };
  readonly portraits: readonly ShownPerson[];
  readonly freeLesson: z.infer<typeof shape>["free_lesson"];
  readonly claims: { readonly decided: number; readonly granted: number } | null;
  /** What is sold, cheapest first. */
  readonly plans: readonly SoldPlan[];
  /** Who sells here; null when nobody is named. */
  readonly seller: {
    readonly name: string;
    readonly address: readonly string[];
    readonly companyNumber: string | null;
    readonly vatNumber: string | null;
  } | null;
}

/** Characters of an outcome that are shown at most. */
const maxOutcome = 240;

/** The first sentences that fit, at least the beginning of the first one. */
export function firstSentences(text: string, limit: number = maxOutcome): string {
  const plain = text.replaceAll(/\s+/g, " ").trim();
  if (plain.length <= limit) return plain;
  const cut = plain.slice(0, limit);
  const end = Math.max(...[". ", "! ", "? "].map((mark) => cut.lastIndexOf(mark)));
  if (end > 0) return cut.slice(0, end + 1);
  const word = cut.lastIndexOf(" ");
  // A character beyond the basic plane is not cut in half.
  return `${(word > 0 ? cut.slice(0, word) : cut).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Pixels of a picture's sides: twice those of the largest one. */
const pictureSize = 144;

/** Where a profile's picture is, small, on this site, whatever server its address names; null for anything else. */
export function pictureAddress(url: string | null): string | null {
  const name = /\/profile-pictures\/([0-9a-f-]{36}-\d{1,20}\.(?:jpg|jpeg|png|webp))$/.exec(
    url ?? "",
  );
  if (name?.[1] === undefined) return null;
  const size = `width=${pictureSize}&height=${pictureSize}`;
  return `/storage/v1/render/image/public/profile-pictures/${name[1]}?${size}`;
}

function toPerson({
  name,
  occupation,
  picture,
}: {
  readonly name: string | null;
  readonly occupation: string | null;
  readonly picture: string | null;
}): ShownPerson {
  return { name: name ?? "", occupation, picture: pictureAddress(picture) };
}

/** Lines of a text, without empty ones. */
const linesOf = (text: string | null, separator: RegExp): string[] =>
  (text ?? "")
    .split(separator)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Reads what the database says of the page. Throws on another shape. */
export function toLandingData(value: unknown): LandingData {
  const row = shape.parse(value);
  return {
    headline: row.headline,
    lead: row.lead,
    host:
      row.host === null
        ? null
        : { ...toPerson(row.host), about: linesOf(row.host.about, /\n\s*\n/) },
    outcomes: row.outcomes.map((outcome) => ({
      ...toPerson(outcome),
      title: outcome.title,
      text: firstSentences(outcome.text),
    })),
    isTrial: row.is_trial,
    counts: {
      rooms: row.rooms,
      articles: row.articles,
      courses: row.courses,
      mentors: row.mentors,
    },
    portraits: row.portraits.map(toPerson),
    freeLesson: row.free_lesson,
    claims: row.claims,
    plans: row.plans.map(({ monthly_pence, yearly_pence, ...plan }) => ({
      ...plan,
      monthlyPence: monthly_pence,
      yearlyPence: yearly_pence,
    })),
    seller:
      row.seller === null || row.seller.legal_name === null
        ? null
        : {
            name: row.seller.legal_name,
            address: linesOf(row.seller.address, /\n/),
            companyNumber: row.seller.company_number,
            vatNumber: row.seller.vat_number,
          },
  };
}
