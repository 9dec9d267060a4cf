import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

/** A resting surface: a border and no shadow. Never put one inside another. */
export function Card({ className, ...rest }: ComponentProps<"div">) {
  return (
    <div
      className={classNames("rounded-card border border-line bg-raised p-5 sm:p-6", className)}
      {...rest}
    />
  );
}
