import { Check } from "lucide-react";

/** Done or not, as a small circle. The words beside it say the same. */
export function Tick({ done }: { readonly done: boolean }) {
  return done ? (
    <span className="grid size-4 shrink-0 place-items-center rounded-full bg-accent text-on-accent">
      <Check aria-hidden className="size-3" />
    </span>
  ) : (
    <span className="size-4 shrink-0 rounded-full border border-control-line" />
  );
}
