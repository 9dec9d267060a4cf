import { useMatches } from "react-router";
import { brand } from "@/domain/brand.ts";
import { useCurrentPageDetail } from "@/lib/page-detail.ts";
import { useCurrentTitleCount } from "@/lib/title-count.ts";
import { shownCount } from "@/ui/shown-count.ts";
import type { Accent } from "@/ui/accent.ts";

/** What a route says about its page. */
export interface PageHandle {
  /** Where one is, in words. */
  readonly title: string;
  readonly accent?: Accent;
  /** `fill`: the page takes the window's height and scrolls inside. */
  readonly layout?: "fill";
}

export function isPageHandle(handle: unknown): handle is PageHandle {
  return typeof handle === "object" && handle !== null && "title" in handle;
}

/** The handle of the page one is on. */
export function usePageHandle(): PageHandle | null {
  const handle: unknown = useMatches().findLast((match) => isPageHandle(match.handle))?.handle;
  return isPageHandle(handle) ? handle : null;
}

/** Names the page in the browser's tab, after how much waits: `(3) Chats · Fourfold`. */
export function PageTitle() {
  const handle = usePageHandle();
  const detail = useCurrentPageDetail() ?? handle?.title;
  const count = useCurrentTitleCount();
  const name = detail === undefined ? brand.name : `${detail} · ${brand.name}`;
  return <title>{count === 0 ? name : `(${shownCount(count)}) ${name}`}</title>;
}
