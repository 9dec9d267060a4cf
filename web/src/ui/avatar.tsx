import { classNames } from "./class-names.ts";

/** `Ada Lovelace` → `AL`, `ada@example.com` → `A`, nothing → `?`. */
export function initialsOf(name: string): string {
  const words = (name.split("@")[0] ?? "").split(/[\s._-]+/u).filter(Boolean);
  const first = Array.from(words[0] ?? "")[0] ?? "?";
  const last =
    name.includes("@") || words.length < 2 ? "" : (Array.from(words.at(-1) ?? "")[0] ?? "");
  return (first + last).toLocaleUpperCase("en-GB");
}

export interface AvatarProps {
  readonly name: string;
  readonly size?: "sm" | "md" | "lg" | undefined;
  readonly className?: string | undefined;
}

/** A person as their initials. The name must stand beside it; this is decoration. */
export function Avatar({ name, size = "md", className }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={classNames(
        "grid shrink-0 place-items-center rounded-full bg-[color-mix(in_oklab,var(--accent)_16%,var(--raised))] font-semibold text-[color-mix(in_oklab,var(--accent)_80%,var(--ink))]",
        size === "sm" && "size-8 text-xs",
        size === "md" && "size-10 text-sm",
        size === "lg" && "size-16 text-xl",
        className,
      )}
    >
      {initialsOf(name)}
    </span>
  );
}
