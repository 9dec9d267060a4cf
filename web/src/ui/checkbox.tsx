import { Check } from "lucide-react";
import type { ComponentProps } from "react";

/** The box alone, for a table whose head and rows say what it is about. It needs a name: `aria-label` or `<label>`. */
export function Checkbox(input: Omit<ComponentProps<"input">, "type" | "className">) {
  return (
    <span className="relative grid size-5 shrink-0 place-items-center">
      <input
        type="checkbox"
        className="peer size-5 appearance-none rounded-[5px] border border-control-line bg-raised transition-colors checked:border-ink checked:bg-ink aria-invalid:border-danger"
        {...input}
      />
      <Check
        aria-hidden
        data-mark=""
        strokeWidth={3}
        className="pointer-events-none absolute size-3.5 text-on-ink opacity-0 peer-checked:opacity-100"
      />
    </span>
  );
}
