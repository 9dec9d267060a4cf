import { Search as SearchIcon } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { letterKeysWanted } from "@/lib/letter-keys.ts";
import { searchStrings } from "../strings.ts";

const SearchPalette = lazy(() => import("./search-palette.tsx"));
const KeySheet = lazy(() => import("./key-sheet.tsx"));

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Where a sign is a sign: in fields, and in the text of the editor. */
const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input, textarea, select") !== null);

/** A key alone that neither the page nor an open window has a use for. */
function isForAnyPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (isWriting(event.target) || !letterKeysWanted()) return false;
  return document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") === null;
}

/** The button of the top bar, and Ctrl or ⌘ with K; both open the palette. A question mark opens the sheet of keys. */
export function Search() {
  const [open, setOpen] = useState(false);
  // Fetched with the first use, and kept from then on.
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  const [keysOpen, setKeysOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "?" && isForAnyPage(event)) setKeysOpen(true);
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
          <KeySheet open onOpenChange={setKeysOpen} />
        </Suspense>
      ) : null}
    </>
  );
}
