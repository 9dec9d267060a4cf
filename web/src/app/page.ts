import type { ComponentType } from "react";
import type { RouteObject } from "react-router";
import type { PageHandle } from "./page-title.tsx";

export type LoadPage = () => Promise<ComponentType>;

/** A page whose code is loaded on navigation, so that the address and the content change together. */
export function page(
  path: string,
  title: string,
  load: LoadPage,
  accent?: PageHandle["accent"],
  layout?: PageHandle["layout"],
): RouteObject {
  const handle: PageHandle = {
    title,
    ...(accent ? { accent } : {}),
    ...(layout ? { layout } : {}),
  };
  return { path, lazy: async () => ({ Component: await load() }), handle };
}
