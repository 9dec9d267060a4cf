// Pagination of the admin lists: `page` and `per_page` in, `Link` and `X-Total-Count` out.

import type { Context } from "hono";
import { validationFailed } from "../auth-error.ts";

const defaultPageSize = 50;
const maxPageSize = 1000;
const maxPage = 1_000_000;

function parsePageNumber(value: string | undefined, fallback: number, max: number): number {
  if (value === undefined || value === "") return fallback;
  if (!/^\d{1,7}$/.test(value)) throw validationFailed("Bad Pagination Parameters: not a number");
  return Math.min(Math.max(1, Number(value)), max);
}

/** One page of a list. */
export interface ListPage {
  number: number;
  size: number;
  offset: number;
}

/** Reads `page` and `per_page`. */
export function pageOf(c: Context): ListPage {
  const number = parsePageNumber(c.req.query("page"), 1, maxPage);
  const size = parsePageNumber(c.req.query("per_page"), defaultPageSize, maxPageSize);
  return { number, size, offset: (number - 1) * size };
}

/** Sets `Link` and `X-Total-Count`; `address` is that of the list. */
export function paginationHeaders(
  c: Context,
  address: string,
  page: ListPage,
  total: number,
): void {
  const lastPage = Math.ceil(total / page.size);
  const link = (number: number, rel: string) =>
    `<${address}?page=${number}&per_page=${page.size}>; rel="${rel}"`;
  const links = [
    ...(page.number < lastPage ? [link(page.number + 1, "next")] : []),
    link(lastPage, "last"),
  ];
  c.header("link", links.join(", "));
  c.header("x-total-count", String(total));
}
