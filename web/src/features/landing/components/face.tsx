import { classNames } from "@/ui/class-names.ts";

/** A person's picture, or the first letter of the name without one. The name must stand beside it; this is decoration. */
export function Face({
  name,
  picture,
  size,
  eager = false,
  className,
}: {
  readonly name: string;
  readonly picture: string | null;
  /** Pixels. */
  readonly size: number;
  readonly eager?: boolean;
  readonly className?: string;
}) {
  const round = classNames("shrink-0 rounded-full bg-sunken", className);
  return picture === null ? (
    <span
      aria-hidden
      style={{ width: size, height: size }}
      className={classNames(
        round,
        "grid place-items-center border border-line text-sm font-semibold text-muted",
      )}
    >
      {Array.from(name)[0] ?? ""}
    </span>
  ) : (
    <img
      src={picture}
      alt=""
      width={size}
      height={size}
      loading={eager ? undefined : "lazy"}
      decoding="async"
      style={{ width: size, height: size }}
      className={classNames(round, "object-cover")}
    />
  );
}
