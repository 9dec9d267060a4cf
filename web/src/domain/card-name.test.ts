import { expect, it } from "vitest";
import { cardName } from "./card-name.ts";

it("names a card by its brand and last digits", () => {
  expect(cardName("visa", "4242")).toBe("Visa ending in 4242");
  expect(cardName("cartes_bancaires", "4242")).toBe("cartes_bancaires ending in 4242");
  expect(cardName(null, "4242")).toBe("Card ending in 4242");
  expect(cardName("visa", null)).toBeNull();
});
