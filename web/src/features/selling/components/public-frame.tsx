import type { ReactNode } from "react";
import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { Wordmark } from "@/ui/rising-line.tsx";
import { sellingStrings } from "../strings.ts";

/** What surrounds a page outside the membership: the mark, one link, and the product's name. */
export function PublicFrame({
  link,
  children,
}: {
  readonly link: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_1fr_auto] bg-paper">
      <header className="mx-auto flex w-full max-w-page items-center justify-between gap-4 px-5 py-4 sm:px-8 sm:py-6 print:hidden">
        <a
          href={paths.landing}
          className="inline-flex rounded-control"
          aria-label={sellingStrings.frontPage}
        >
          <Wordmark name={brand.name} />
        </a>
        {link}
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-page px-5 pt-2 pb-16 focus:outline-none sm:px-8 sm:pt-6"
      >
        {children}
      </main>
      <footer className="mx-auto w-full max-w-page px-5 pb-8 text-sm text-muted sm:px-8 print:hidden">
        {brand.name} · {brand.supportEmail}
      </footer>
    </div>
  );
}
