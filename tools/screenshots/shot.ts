import type { Page } from "@playwright/test";
import type { Queryable } from "basehost/database";

/** A screenshot: file name, address, account, and what must be visible before it is taken. */
export interface Shot {
  name: string;
  path: string;
  viewer?: string;
  prepare?: (page: Page, owner: Queryable) => Promise<void>;
}
