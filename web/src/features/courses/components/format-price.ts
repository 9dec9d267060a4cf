import { formatPence } from "@/domain/brand.ts";
import { courseStrings } from "../strings.ts";

/** `Free`, or the price in pounds. */
export function formatPrice(pounds: number | null): string {
  return pounds === null ? courseStrings.free : formatPence(Math.round(pounds * 100));
}
