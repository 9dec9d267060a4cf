import type { ReactNode } from "react";

/** Running text at a readable measure. */
export function Prose({ children }: { readonly children: ReactNode }) {
  return (
    <div className="grid max-w-prose gap-4 [&_h2]:mt-4 [&_h2]:text-lg [&_h2]:font-semibold [&_li]:pl-1 [&_ol]:grid [&_ol]:list-decimal [&_ol]:gap-2 [&_ol]:pl-5 [&_ul]:grid [&_ul]:list-disc [&_ul]:gap-2 [&_ul]:pl-5">
      {children}
    </div>
  );
}
