import type { ReactNode } from "react";
import { Card } from "./card.tsx";
import { classNames } from "./class-names.ts";

export interface AuthCardProps {
  readonly title: ReactNode;
  readonly intro?: ReactNode | undefined;
  /** Mark and name of the product, linking to where one came from. */
  readonly brand: ReactNode;
  /** Small print or the way elsewhere, under the card. */
  readonly footer?: ReactNode | undefined;
  /** `wide` for two plans side by side. */
  readonly width?: "normal" | "wide" | undefined;
  readonly children: ReactNode;
}

/** A page with one card and one thing to do. */
export function AuthCard({
  title,
  intro,
  brand,
  footer,
  width = "normal",
  children,
}: AuthCardProps) {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] bg-paper">
      <header className="px-5 py-4 sm:px-8 sm:py-6">{brand}</header>
      <main
        id="main"
        tabIndex={-1}
        className={classNames(
          "mx-auto flex w-full flex-col gap-6 px-4 pt-4 pb-16 focus:outline-none",
          // What is wide is long as well, and its button has to be in sight.
          width === "normal" ? "max-w-[28rem] sm:pt-[min(7vh,4rem)]" : "max-w-split",
        )}
      >
        <div className="grid gap-2 px-1">
          <h1 className="display text-2xl sm:text-3xl">{title}</h1>
          {intro ? <p className="text-muted">{intro}</p> : null}
        </div>
        <Card className="grid gap-5">{children}</Card>
        {footer ? <div className="grid gap-3 px-1 text-sm text-muted">{footer}</div> : null}
      </main>
    </div>
  );
}
