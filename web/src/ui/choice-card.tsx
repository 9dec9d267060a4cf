import { useId, type ComponentProps, type ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface ChoiceCardProps extends Omit<ComponentProps<"input">, "type" | "title"> {
  readonly title: ReactNode;
  /** At the end of the title's line: a price, a count. */
  readonly figure?: ReactNode | undefined;
  readonly children?: ReactNode | undefined;
}

/**
 * One of a few things to choose between, large enough to explain itself. Several with the same
 * `name` make a radio group: arrow keys move between them. Put them inside a `<fieldset>`.
 */
export function ChoiceCard({ title, figure, children, className, ...input }: ChoiceCardProps) {
  const id = useId();
  return (
    <label
      data-choice=""
      className={classNames(
        "relative grid cursor-pointer content-start gap-3 rounded-control border border-control-line bg-raised p-5 transition-colors hover:border-ink has-[:checked]:border-ink has-[:checked]:shadow-[inset_0_0_0_1px_var(--ink)] has-[:disabled]:cursor-not-allowed has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent",
        className,
      )}
    >
      <span className="flex items-start gap-3">
        <span className="relative mt-0.5 grid size-5 shrink-0 place-items-center">
          <input
            type="radio"
            className="peer size-5 appearance-none rounded-full border border-control-line bg-raised transition-colors checked:border-ink focus-visible:outline-none"
            {...input}
            aria-labelledby={`${id}-name ${id}-figure`}
            aria-describedby={`${id}-more`}
          />
          <span
            aria-hidden
            data-mark=""
            className="pointer-events-none absolute size-2.5 rounded-full bg-ink opacity-0 peer-checked:opacity-100"
          />
        </span>
        <span id={`${id}-name`} className="grow font-medium">
          {title}
        </span>
        {figure ? (
          <span id={`${id}-figure`} className="tabular shrink-0 text-right">
            {figure}
          </span>
        ) : null}
      </span>
      <span id={`${id}-more`}>{children}</span>
    </label>
  );
}
