import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";

/** A link in running text. */
export function TextLink({ className, ...rest }: LinkProps) {
  return (
    <Link
      className={classNames(
        "rounded-sm font-medium text-ink underline decoration-control-line underline-offset-4 hover:decoration-ink",
        className,
      )}
      {...rest}
    />
  );
}
