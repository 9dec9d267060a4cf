/** A name after `@` in a text, as the server answers it. */
export interface NamedMember {
  readonly name: string;
  /** Null for everyone, for a name that could be two members, and where there is no profile to show. */
  readonly memberId: string | null;
  /** The reader is meant. */
  readonly isYou: boolean;
}

const special = /[.*+?^${}()|[\]\\/]/gu;

/** Splits a text at the given names after `@`: plain parts, and who is named between them. */
export function splitMentions(
  text: string,
  named: readonly NamedMember[],
): readonly (string | NamedMember)[] {
  const byName = new Map(named.map((each) => [each.name, each]));
  if (byName.size === 0) return [text];
  const names = [...byName.keys()]
    .toSorted((one, other) => other.length - one.length)
    .map((name) => name.replaceAll(special, String.raw`\$&`));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_@])@(${names.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
  const parts: (string | NamedMember)[] = [];
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const member = byName.get(match[1] ?? "");
    if (member === undefined) continue;
    if (match.index > done) parts.push(text.slice(done, match.index));
    parts.push(member);
    done = match.index + match[0].length;
  }
  if (done < text.length || parts.length === 0) parts.push(text.slice(done));
  return parts;
}
