import { Search as SearchIcon } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { isKeyForPage } from "@/lib/is-key-for-page.ts";
import { searchStrings } from "../strings.ts";
import type { KeyedArea } from "./key-sheet.tsx";

const SearchPalette = lazy(() => import("./search-palette.tsx"));
const KeySheet = lazy(() => import("./key-sheet.tsx"));

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The button of the top bar, and Ctrl or ⌘ with K; both open the palette. A question mark opens the sheet of keys. */
export function Search({ areas }: { readonly areas: readonly KeyedArea[] }) {
  const [open, setOpen] = useState(false);
  // Fetched with the first use, and kept from then on.
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  const [keysOpen, setKeysOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "?" && isKeyForPage(event)) setKeysOpen(true);
      if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey) return;
      if (!(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className="flex min-h-10 min-w-10 items-center justify-center gap-2 rounded-control border border-transparent px-2.5 text-sm text-muted hover:text-ink sm:border-line sm:bg-raised sm:hover:border-control-line"
      >
        <SearchIcon aria-hidden className="size-4.5" />
        <span className="max-sm:sr-only">{searchStrings.title}</span>
        <kbd aria-hidden className="hidden pl-3 font-sans text-xs md:inline">
          {isApple() ? searchStrings.appleShortcut : searchStrings.shortcut}
        </kbd>
      </button>
      {wanted ? (
        <Suspense fallback={null}>
          <SearchPalette open={open} onOpenChange={setOpen} />
        </Suspense>
      ) : null}
      {keysOpen ? (
        <Suspense fallback={null}>
          <KeySheet areas={areas} open onOpenChange={setKeysOpen} />
        </Suspense>
      ) : null}
    </>
  );
}
