import { ArrowRight, BookOpen } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";
import { CommandPalette, type PaletteGroup } from "./command-palette.tsx";
import type { StoryGroup } from "./story.ts";

const groups: readonly PaletteGroup[] = [
  {
    heading: "Articles",
    entries: [
      {
        id: "/one",
        label: "Reading a book so that something is left",
        detail: "Three passes, one page of notes and a date in the diary.",
        icon: BookOpen,
        accent: "knowledge",
      },
      { id: "/two", label: "How far apart", icon: BookOpen, accent: "business" },
    ],
  },
  { heading: "Go to", entries: [{ id: "/home", label: "Home", icon: ArrowRight }] },
];

function Palette({ empty = false }: { readonly empty?: boolean }) {
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Open
      </Button>
      <CommandPalette
        open={open}
        onOpenChange={setOpen}
        label="Search"
        placeholder="Search everything…"
        query={query}
        onQueryChange={setQuery}
        groups={empty ? [] : groups}
        onChoose={() => setOpen(false)}
        status={empty ? "0 results" : "2 results"}
      >
        {empty ? <p className="text-sm text-muted">Nothing found.</p> : null}
      </CommandPalette>
    </>
  );
}

export default {
  title: "Command palette",
  stories: {
    "With results": () => <Palette />,
    Empty: () => <Palette empty />,
  },
} satisfies StoryGroup;
