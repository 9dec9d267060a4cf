import type { ReactNode } from "react";

/** The element's id of a section's heading. */
export const pactSectionId = (name: string) => `pacts-${name}`;

/** Pacts of one state under their heading. Nothing is drawn without any. */
export function PactSection<T extends { readonly id: string }>({
  id,
  title,
  items,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly items: readonly T[];
  readonly children: (item: T) => ReactNode;
}) {
  if (items.length === 0) return null;
  const headingId = pactSectionId(id);
  return (
    <section aria-labelledby={headingId} className="grid grid-cols-1 gap-3">
      <h2 id={headingId} tabIndex={-1} className="display text-xl focus:outline-none">
        {title}
      </h2>
      <ul className="grid grid-cols-1 gap-4">
        {items.map((item) => (
          <li key={item.id} className="grid grid-cols-1">
            {children(item)}
          </li>
        ))}
      </ul>
    </section>
  );
}
