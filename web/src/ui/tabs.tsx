import { Tabs as RadixTabs } from "radix-ui";
import type { ReactNode } from "react";
import { useCurrentInView } from "./use-current-in-view.ts";

interface TabItem {
  readonly value: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

export interface TabsProps {
  /** Names the set for screen readers. */
  readonly label: string;
  readonly items: readonly TabItem[];
  readonly value?: string | undefined;
  readonly onValueChange?: ((value: string) => void) | undefined;
}

/** A few views of one thing. Controlled when `value` is given, else it starts at the first. */
export function Tabs({ label, items, value, onValueChange }: TabsProps) {
  const row = useCurrentInView<HTMLDivElement>();
  return (
    <RadixTabs.Root
      {...(value === undefined ? { defaultValue: items[0]?.value ?? "" } : { value })}
      {...(onValueChange ? { onValueChange } : {})}
    >
      <RadixTabs.List
        ref={row}
        aria-label={label}
        className="flex gap-1 overflow-x-auto border-b border-line"
      >
        {items.map((item) => (
          <RadixTabs.Trigger
            key={item.value}
            value={item.value}
            className="-mb-px min-h-11 border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-ink data-[state=active]:text-ink forced-colors:border-[color:Canvas] forced-colors:data-[state=active]:border-[color:Highlight]"
          >
            {item.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {items.map((item) => (
        <RadixTabs.Content key={item.value} value={item.value} className="pt-5">
          {item.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
