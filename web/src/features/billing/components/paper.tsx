import type { ReactNode } from "react";

/** A sheet that prints well. */
export function Paper({ children }: { readonly children: ReactNode }) {
  return (
    <article className="grid gap-8 rounded-card border border-line bg-raised p-6 sm:p-10 print:rounded-none print:border-0 print:bg-transparent print:p-0">
      {children}
    </article>
  );
}

/** One row of the sums under a table. */
export function PaperSum({
  name,
  strong = false,
  children,
}: {
  readonly name: ReactNode;
  readonly strong?: boolean;
  readonly children: string;
}) {
  return (
    <tr className={strong ? "font-semibold" : "text-muted"}>
      <th scope="row" className="pt-3 pr-4 text-left font-[inherit]">
        {name}
      </th>
      <td className="pt-3 text-right">{children}</td>
    </tr>
  );
}

/** A fact in a `<dl>`. */
export function PaperFact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="tabular break-words">{children}</dd>
    </div>
  );
}
