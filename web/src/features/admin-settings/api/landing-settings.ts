import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

const answer = z.object({
  version: z.number(),
  headline: z.nullable(z.string()),
  lead: z.nullable(z.string()),
  host_id: z.nullable(z.string()),
  host_about: z.nullable(z.string()),
  published_at: z.nullable(z.string()),
  outcomes: z.array(z.object({ name: z.string(), title: z.string() })),
  unanswered: z.number(),
  hosts: z.array(z.object({ id: z.string(), name: z.string(), picture: z.nullable(z.string()) })),
});

/** What an owner changes of the landing page. An empty text is as the product comes. */
export interface LandingWords {
  readonly headline: string;
  readonly lead: string;
  /** Id of the administrator who is introduced; empty for nobody. */
  readonly host: string;
  readonly about: string;
}

/** The landing page as the console shows it. */
export interface LandingSettings {
  readonly words: LandingWords;
  /** 0 while nothing was published. */
  readonly version: number;
  /** Epoch milliseconds; null while nothing was published. */
  readonly publishedAt: number | null;
  /** Submissions that visitors read now. */
  readonly outcomes: readonly { readonly name: string; readonly title: string }[];
  /** Featured submissions whose authors have not agreed. */
  readonly unanswered: number;
  readonly hosts: readonly {
    readonly id: string;
    readonly name: string;
    readonly picture: string | null;
  }[];
}

/** Reads the landing page's words. Administrators only. Throws the database's error. */
export async function fetchLandingSettings(client: BackendClient): Promise<LandingSettings> {
  const { data, error } = await client.rpc("landing_settings");
  if (error) throw error;
  const row = answer.parse(data);
  return {
    words: {
      headline: row.headline ?? "",
      lead: row.lead ?? "",
      host: row.hosts.some(({ id }) => id === row.host_id) ? (row.host_id ?? "") : "",
      about: row.host_about ?? "",
    },
    version: row.version,
    publishedAt: row.published_at === null ? null : Date.parse(row.published_at),
    outcomes: row.outcomes,
    unanswered: row.unanswered,
    hosts: row.hosts,
  };
}

/** Shows other words to visitors. Administrators only. Throws the database's error. */
export async function publishLandingText(
  client: BackendClient,
  { headline, lead, host, about }: LandingWords,
): Promise<void> {
  const { error } = await client.rpc("publish_landing_text", {
    headline,
    lead,
    // The generated type takes no null, which the function does.
    host: (host === "" ? null : host) as string,
    host_about: about,
  });
  if (error) throw error;
}
