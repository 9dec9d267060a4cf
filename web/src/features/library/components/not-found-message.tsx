import { ArrowLeft, SearchX } from "lucide-react";
import { Link } from "react-router";
import { Button } from "@/ui/button.tsx";

export interface NotFoundMessageProps {
  /** Such as `Article not found`. */
  readonly title: string;
  readonly children: string;
  readonly to: string;
  /** On the button back. */
  readonly back: string;
}

/** Stands where an address leads to nothing, with the way back. */
export function NotFoundMessage({ title, children, to, back }: NotFoundMessageProps) {
  return (
    <div className="grid max-w-notice justify-items-start gap-4 py-8 sm:py-14">
      <SearchX aria-hidden className="size-8 text-muted" />
      <h1 className="display text-2xl sm:text-3xl">{title}</h1>
      <p className="text-muted">{children}</p>
      <Button asChild className="mt-2">
        <Link to={to}>
          <ArrowLeft aria-hidden className="size-4" />
          {back}
        </Link>
      </Button>
    </div>
  );
}
