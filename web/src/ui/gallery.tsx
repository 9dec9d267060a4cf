import "./styles/app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router";
import type { StoryGroup } from "./story.ts";
import { Toaster } from "./toast.tsx";
import { TooltipProvider } from "./tooltip.tsx";

/** The gallery of the design system, served in development at `/ui`. `?theme=dark` fixes a theme. */

const modules = import.meta.glob<{ readonly default: StoryGroup }>("./*.stories.tsx", {
  eager: true,
});
const groups = Object.values(modules).map((module) => module.default);

const theme = new URLSearchParams(window.location.search).get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;

function Gallery() {
  return (
    <main className="mx-auto grid max-w-page gap-16 px-4 py-10 sm:px-8">
      <h1 className="display text-3xl">Design system</h1>
      {groups.map((group) => (
        <section key={group.title} className="grid gap-6">
          <h2 className="display border-b border-line pb-2 text-2xl">{group.title}</h2>
          <div className="grid gap-8 lg:grid-cols-2">
            {Object.entries(group.stories).map(([name, story]) => (
              <figure key={name} className="grid min-w-0 content-start gap-3">
                <figcaption className="text-sm text-muted">{name}</figcaption>
                <div>{story()}</div>
              </figure>
            ))}
          </div>
        </section>
      ))}
    </main>
  );
}

const place = document.getElementById("root");
if (place === null) throw new Error("The page has no #root element");
createRoot(place).render(
  <StrictMode>
    <MemoryRouter initialEntries={["/here"]}>
      <TooltipProvider>
        <Gallery />
        <Toaster />
      </TooltipProvider>
    </MemoryRouter>
  </StrictMode>,
);
