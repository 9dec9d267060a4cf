import { loadGuessableCheck } from "basehost/guessable-passwords";
import { useEffect, useState } from "react";
import { brand } from "@/domain/brand.ts";

/** True when the server refuses a password because others would guess it. */
export type IsGuessable = (password: string, email: string) => boolean;

/** Loads the server's own check with its list, once; null when it can't be loaded: the server has the last word. */
export async function loadIsGuessable(): Promise<IsGuessable | null> {
  try {
    const check = await loadGuessableCheck();
    const siteWords = [brand.name, ...window.location.hostname.split(".")];
    return (password, email) => check(password, email, siteWords);
  } catch {
    return null;
  }
}

/** The check, once it is loaded; loading begins when it is wanted. */
export function useIsGuessable(wanted: boolean): IsGuessable | null {
  const [check, setCheck] = useState<IsGuessable | null>(null);
  useEffect(() => {
    if (!wanted) return undefined;
    let left = false;
    void loadIsGuessable().then((loaded) => {
      if (!left) setCheck(() => loaded);
    });
    return () => {
      left = true;
    };
  }, [wanted]);
  return check;
}
