import type { ReactNode } from "react";
import { paths } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { useIsInHouse } from "@/lib/members-house.ts";
import { TextLink } from "@/ui/text-link.tsx";
import { sellingStrings } from "../strings.ts";
import { PublicFrame } from "./public-frame.tsx";

/** A page for those without a membership too, with the way to one's courses. Members have it in their house. */
export function PublicPage({ children }: { readonly children: ReactNode }) {
  const { user } = useSession();
  const isInHouse = useIsInHouse();
  if (isInHouse) return children;
  const link =
    user === null ? (
      <TextLink to={paths.signIn}>{sellingStrings.signIn}</TextLink>
    ) : (
      <TextLink to={paths.yourCourses}>{sellingStrings.yourCourses}</TextLink>
    );
  return <PublicFrame link={link}>{children}</PublicFrame>;
}
