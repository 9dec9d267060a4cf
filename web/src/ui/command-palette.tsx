import { Command } from "cmdk";
import { CornerDownLeft, Search, X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import { useState, type ComponentType, type ReactNode } from "react";
import type { Accent } from "./accent.ts";
import { useCloseOnBack } from "./close-on-back.ts";
import { keepOpenWhileComposing } from "./composition.ts";
import { useReturningFocus } from "./dialog.tsx";

/** Something to go to or to do. */
export interface PaletteEntry {
  /** Tells it from all others of the palette. */
  readonly id: string;
  readonly label: string;
  /** A line below it. */
  readonly detail?: string | undefined;
  readonly icon: ComponentType<{ className?: string; "aria-hidden"?: boolean }>;
  readonly accent?: Accent | undefined;
}

export interface PaletteGroup {
  readonly heading: string;
  readonly entries: readonly PaletteEntry[];
}

export interface CommandPaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Names the window and its field. */
  readonly label: string;
  readonly placeholder: string;
  readonly query: string;
  readonly onQueryChange: (query: string) => void;
  /** Shows a label or its detail, such as with the searched words marked. */
  readonly renderText?: (text: string) => ReactNode;
  readonly groups: readonly PaletteGroup[];
  readonly onChoose: (id: string) => void;
  /** What is going on, such as `Searching…` or `3 results`; announced, and shown at the foot. */
  readonly status: string;
  /** In place of entries: nothing found, or what went wrong. */
  readonly children?: ReactNode;
}

/**
 * A field over everything, and what it finds: arrows choose, Enter goes there, Escape or Back leaves. The
 * caller does the finding. On a phone it takes the whole screen.
 */
export function CommandPalette({
  open,
  onOpenChange,
  label,
  placeholder,
  query,
  onQueryChange,
  renderText = (text) => text,
  groups,
  onChoose,
  status,
  children,
}: CommandPaletteProps) {
  const focus = useReturningFocus();
  useCloseOnBack(open, () => onOpenChange(false));
  const [chosen, setChosen] = useState("");
  const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id));
  // When all entries are replaced at once, the library goes on with one that is gone, and Enter would lead nowhere.
  const ready = ids.includes(chosen) ? chosen : (ids[0] ?? "");
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-[fade_160ms_ease-out] bg-shade" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onEscapeKeyDown={keepOpenWhileComposing}
          {...focus}
          className="fixed inset-0 z-50 flex flex-col bg-raised text-ink focus:outline-none sm:inset-auto sm:top-[12vh] sm:left-1/2 sm:max-h-[70vh] sm:w-[min(38rem,calc(100vw-2rem))] sm:-translate-x-1/2 sm:animate-[fade_140ms_ease-out] sm:rounded-card sm:shadow-float"
        >
          <RadixDialog.Title className="sr-only">{label}</RadixDialog.Title>
          <Command
            shouldFilter={false}
            loop
            vimBindings={false}
            label={label}
            value={ready}
            onValueChange={setChosen}
            className="flex min-h-0 grow flex-col"
          >
            <div className="flex items-center gap-3 border-b border-line pr-2 pl-4">
              <Search aria-hidden className="size-5 shrink-0 text-muted" />
              <Command.Input
                value={query}
                onValueChange={onQueryChange}
                placeholder={placeholder}
                className="h-14 min-w-0 grow bg-transparent text-base placeholder:text-muted focus:outline-none"
              />
              <RadixDialog.Close
                aria-label="Close"
                className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink"
              >
                <X aria-hidden className="size-5" />
              </RadixDialog.Close>
            </div>
            {children ? <div className="p-5">{children}</div> : null}
            <Command.List
              label="Results"
              className="min-h-0 grow overflow-y-auto overscroll-contain p-2 sm:max-h-[26rem]"
            >
              {groups.map((group) => (
                <Command.Group
                  key={group.heading}
                  heading={group.heading}
                  className="pb-2 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
                >
                  {group.entries.map((entry) => (
                    <Entry
                      key={entry.id}
                      entry={entry}
                      renderText={renderText}
                      onChoose={onChoose}
                    />
                  ))}
                </Command.Group>
              ))}
            </Command.List>
            <div className="flex items-center justify-between gap-4 border-t border-line px-4 py-2.5 text-xs text-muted">
              <span role="status">{status}</span>
              <span aria-hidden className="hidden items-center gap-3 sm:flex">
                <span>↑ ↓ choose</span>
                <span className="inline-flex items-center gap-1">
                  <CornerDownLeft className="size-3" /> open
                </span>
                <span>Esc close</span>
              </span>
            </div>
          </Command>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function Entry({
  entry: { id, label, detail, icon: Icon, accent },
  renderText,
  onChoose,
}: {
  readonly entry: PaletteEntry;
  readonly renderText: (text: string) => ReactNode;
  readonly onChoose: (id: string) => void;
}) {
  return (
    <Command.Item
      value={id}
      data-accent={accent}
      onSelect={() => onChoose(id)}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-2 text-sm data-[selected=true]:bg-hover"
    >
      <Icon aria-hidden className="size-4.5 shrink-0 text-accent" />
      <span className="grid min-w-0 grow">
        <span className="truncate font-medium">{renderText(label)}</span>
        {detail ? <span className="truncate text-xs text-muted">{renderText(detail)}</span> : null}
      </span>
    </Command.Item>
  );
}
