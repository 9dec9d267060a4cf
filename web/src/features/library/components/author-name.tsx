import { brand } from "@/domain/brand.ts";
import { MemberName } from "@/features/people/index.ts";

export interface AuthorNameProps {
  /** Null where no profile is to be linked: texts of the house, and previews. */
  readonly id: string | null;
  /** Null for a text of the house. */
  readonly name: string | null;
  readonly className?: string | undefined;
}

/** Whose text it is, as a link to the profile; the product's own name for texts of the house. */
export function AuthorName({ id, name, className }: AuthorNameProps) {
  if (id === null || name === null) return <span className={className}>{name ?? brand.name}</span>;
  return <MemberName id={id} name={name} className={className} />;
}
