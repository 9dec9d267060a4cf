import type { RouteObject } from "react-router";
import { paths } from "@/domain/paths.ts";
import { legalKinds, legalNames, type LegalKind } from "@/features/legal/index.ts";
import { page } from "./page.ts";

async function load(kind: LegalKind) {
  const { LegalPage } = await import("./legal-page.tsx");
  return () => LegalPage({ kind });
}

/** The terms, the privacy notice and the refund terms, for everybody. */
export const legalRoutes: readonly RouteObject[] = legalKinds.map((kind) =>
  page(paths[kind], legalNames[kind], async () => await load(kind)),
);
