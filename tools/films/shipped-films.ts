import type { Film } from "./film.ts";
import { indexFund } from "./index-fund.ts";
import { worthToThem } from "./worth-to-them.ts";

/** The films of the shipped library. */
export const shippedFilms: readonly Film[] = [indexFund, worthToThem];
