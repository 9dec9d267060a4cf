import { ArrowLeft } from "lucide-react";
import { Link } from "react-router";
import { Button } from "@/ui/button.tsx";

/** The way up, above a page's heading. */
export function BackLink({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <div className="print:hidden">
      <Button asChild variant="quiet" size="sm" className="-ml-3">
        <Link to={to}>
          <ArrowLeft aria-hidden className="size-4" />
          {children}
        </Link>
      </Button>
    </div>
  );
}
