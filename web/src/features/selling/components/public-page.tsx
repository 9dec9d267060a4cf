import type { ReactNode } from "react";
import { paths } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { TextLink } from "@/ui/text-link.tsx";
import { sellingStrings } from "../strings.ts";
import { PublicFrame } from "./public-frame.tsx";

/** A page of the app that stands outside the membership, with the way to one's courses. */
export function PublicPage({ children }: { readonly children: ReactNode }) {
  const { user } = useSession();
  const link =
    user === null ? (
      <TextLink to={paths.signIn}>{sellingStrings.signIn}</TextLink>
    ) : (
      <TextLink to={paths.yourCourses}>{sellingStrings.yourCourses}</TextLink>
    );
  return <PublicFrame link={link}>{children}</PublicFrame>;
}
