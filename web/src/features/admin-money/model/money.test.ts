import { describe, expect, it } from "vitest";
import { csvPounds, toCsv } from "@/lib/csv.ts";
import { parsePounds } from "@/domain/parse-pounds.ts";
import { refundable, type Payment } from "./payment.ts";

describe("an amount in pounds", () => {
  it.each([
    ["12", 1200],
    ["12.5", 1250],
    ["£12.05", 1205],
    [" 1,000.00 ", 100_000],
    ["£12,345.60", 1_234_560],
    ["5,50", null],
    ["12,5", null],
    ["1,0000", null],
    ["0.01", 1],
    ["", null],
    ["-5+A1", null],
    ["1.005", null],
    ["1e3", null],
    ["twelve", null],
  ])("%j is %j pence", (text, pence) => expect(parsePounds(text)).toBe(pence));
});

describe("what can be refunded", () => {
  const payment = { state: "partly_refunded", amountPence: 5000, refundedPence: 2000 } as Payment;
  it("is what is left", () => expect(refundable(payment)).toBe(3000));
  it.each(["disputed", "dispute_lost"])("is nothing while %s", (state) => {
    expect(refundable({ ...payment, state })).toBe(0);
  });
});

describe("a CSV file", () => {
  it("quotes what needs it and runs no formula", () => {
    expect(
      toCsv(
        ["Name", "Note", "Amount"],
        [
          ['Ada "Countess" Byron', "a,b", 12],
          ["=HYPERLINK(1)", "two\nlines", null],
          ["-5+A1", "@now", "+1"],
        ],
      ),
    ).toBe(
      'Name,Note,Amount\r\n"Ada ""Countess"" Byron","a,b",12\r\n' +
        "'=HYPERLINK(1),\"two\nlines\",\r\n'-5+A1,'@now,'+1\r\n",
    );
  });

  it("shows pounds with their pence", () => expect(csvPounds(1250)).toBe("12.50"));
});
