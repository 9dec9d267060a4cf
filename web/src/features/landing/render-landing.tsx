import { prerender } from "react-dom/static";
import { Landing } from "./components/landing.tsx";

/** The landing page as static HTML. */
export async function renderLanding(): Promise<string> {
  const { prelude } = await prerender(<Landing />);
  return new Response(prelude).text();
}
