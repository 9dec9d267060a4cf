import { prerender } from "react-dom/static";
import { Landing } from "./components/landing.tsx";
import { toLandingData } from "./model/landing-data.ts";

/**
 * The landing page as static HTML.
 * @param found what the database says of it; without it the page leaves out what only the database knows.
 * @throws when that has another shape.
 */
export async function renderLanding(found: unknown = null): Promise<string> {
  const data = found === null ? null : toLandingData(found);
  const errors: unknown[] = [];
  const { prelude } = await prerender(<Landing data={data} />, {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => void errors.push(error),
  });
  const html = await new Response(prelude).text();
  if (errors.length > 0) throw new Error("The page was not rendered whole", { cause: errors[0] });
  return html;
}
