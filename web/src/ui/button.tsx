import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

const button = cva(
  "inline-flex select-none items-center justify-center gap-2 rounded-control border text-center font-medium leading-tight transition-colors disabled:cursor-not-allowed aria-disabled:cursor-not-allowed",
  {
    variants: {
      variant: {
        primary:
          "border-transparent bg-ink text-on-ink hover:bg-[color-mix(in_oklab,var(--ink)_86%,var(--paper))] disabled:bg-[color-mix(in_oklab,var(--ink)_12%,var(--paper))] disabled:text-muted",
        accent:
          "border-transparent bg-accent text-on-accent hover:bg-[color-mix(in_oklab,var(--accent)_88%,var(--ink))] disabled:bg-[color-mix(in_oklab,var(--ink)_12%,var(--paper))] disabled:text-muted",
        secondary:
          "border-control-line bg-raised text-ink hover:bg-sunken disabled:border-line disabled:text-muted",
        quiet: "border-transparent text-ink hover:bg-hover disabled:text-muted",
        danger:
          "border-transparent bg-danger text-on-accent hover:bg-[color-mix(in_oklab,var(--danger)_88%,var(--ink))] disabled:bg-[color-mix(in_oklab,var(--ink)_12%,var(--paper))] disabled:text-muted",
      },
      size: {
        sm: "min-h-9 px-3 text-sm",
        md: "min-h-11 px-4 text-sm",
        lg: "min-h-12 px-6 text-base",
      },
      wide: { true: "w-full" },
    },
    defaultVariants: { variant: "primary", size: "md" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof button> {
  /** Shows a turning mark, announces it and refuses further presses; the width stays. */
  readonly loading?: boolean | undefined;
  /** Renders the only child (a link, say) with the looks of a button. */
  readonly asChild?: boolean | undefined;
}

/** A button. It is `type="button"` unless told otherwise, so it never submits by accident. */
export function Button({
  variant,
  size,
  wide,
  loading = false,
  asChild = false,
  className,
  type = "button",
  disabled,
  children,
  ...rest
}: ButtonProps) {
  const classes = classNames(button({ variant, size, wide }), className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type={type}
      className={classes}
      disabled={disabled === true || loading}
      aria-busy={loading || undefined}
      {...rest}
    >
      {loading ? (
        <LoaderCircle
          aria-hidden
          className="size-4 shrink-0 animate-[turn_800ms_linear_infinite]"
        />
      ) : null}
      {/* An element of its own: a text that a translation replaced can't have the mark put before it. */}
      <span className="contents">{children}</span>
    </button>
  );
}
