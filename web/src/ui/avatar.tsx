import { useState } from "react";
import { classNames } from "./class-names.ts";

/** `Ada Lovelace (she)` → `AL`, `ada@example.com` → `A`, nothing → `?`. Words that begin with a sign count for nothing. */
export function initialsOf(name: string): string {
  const words = (name.split("@")[0] ?? "")
    .split(/[\s._-]+/u)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const first = Array.from(words[0] ?? "")[0] ?? "?";
  const last =
    name.includes("@") || words.length < 2 ? "" : (Array.from(words.at(-1) ?? "")[0] ?? "");
  return (first + last).toLocaleUpperCase("en-GB");
}

/** Degrees in OKLCH, so far apart that neighbours can be told apart. */
const avatarHues = [0, 40, 75, 110, 150, 190, 230, 265, 300, 330] as const;

/** The background of an account's initials: the same for the same id. White text on it has AA contrast. */
export function avatarColor(id: string): string {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return `oklch(0.45 0.09 ${avatarHues[hash % avatarHues.length] ?? 0})`;
}

export interface AvatarProps {
  /** Of the account; decides the colour. */
  readonly id: string;
  readonly name: string;
  /** Address of the profile picture; null for none. */
  readonly picture?: string | null | undefined;
  readonly size?: "sm" | "md" | "lg" | undefined;
  readonly className?: string | undefined;
}

/**
 * A person as their picture, or as their initials in their own colour until it has loaded, or without one. The name must
 * stand beside it; this is decoration.
 */
export function Avatar({ id, name, picture = null, size = "md", className }: AvatarProps) {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <span
      aria-hidden
      data-edge=""
      className={classNames(
        "relative grid shrink-0 place-items-center overflow-hidden rounded-full font-semibold text-white",
        size === "sm" && "size-8 text-xs",
        size === "md" && "size-10 text-sm",
        size === "lg" && "size-16 text-xl",
        className,
      )}
      style={{ backgroundColor: avatarColor(id) }}
    >
      {initialsOf(name)}
      {picture === null || picture === failed ? null : (
        <img
          src={picture}
          alt=""
          decoding="async"
          draggable={false}
          onError={() => setFailed(picture)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </span>
  );
}
