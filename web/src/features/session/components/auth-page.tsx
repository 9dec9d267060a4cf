import type { ReactNode } from "react";
import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { AuthCard } from "@/ui/auth-card.tsx";
import { Wordmark } from "@/ui/rising-line.tsx";
import { authPageStrings } from "../strings.ts";

export interface AuthPageProps {
  readonly title: string;
  readonly intro?: ReactNode;
  readonly footer?: ReactNode;
  /** `wide` for two plans side by side. */
  readonly width?: "normal" | "wide";
  readonly children: ReactNode;
}

/** The card of every page before membership. The mark leads to the landing page. */
export function AuthPage(props: AuthPageProps) {
  return (
    <AuthCard
      brand={
        <a
          href={paths.landing}
          className="inline-block rounded-control"
          aria-label={authPageStrings.toFrontPage}
        >
          <Wordmark name={brand.name} />
        </a>
      }
      {...props}
    />
  );
}
