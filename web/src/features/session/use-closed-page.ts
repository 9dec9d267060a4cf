import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { parseClosedPage, type ClosedPage } from "./model/closed-page.ts";

/**
 * Which closed page was asked for in place of the present one. It is taken out of the history at once, so that it is not told
 * again after a reload or on the way back; here it stays until another address is opened.
 */
export function useClosedPage(): ClosedPage | null {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const told = parseClosedPage(state);
  const [known, setKnown] = useState({ pathname, page: told });
  const isNews = told !== null && JSON.stringify(told) !== JSON.stringify(known.page);
  if (known.pathname !== pathname || isNews) setKnown({ pathname, page: told });
  const isInHistory = told !== null;
  useEffect(() => {
    if (!isInHistory) return;
    const here = pathname + search + hash;
    void navigate(here, { replace: true, state: null, preventScrollReset: true });
  }, [isInHistory, navigate, pathname, search, hash]);
  return known.page;
}
