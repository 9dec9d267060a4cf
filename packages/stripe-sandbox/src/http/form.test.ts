import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StripeApiError } from "../api-errors.ts";
import { parseForm } from "./form.ts";

describe("form bodies", () => {
  it("become objects and lists", () => {
    expect(
      parseForm("items[0][price]=p&items[1][price]=q&expand[]=a&expand[]=b.c&metadata[k]=v%20w&x="),
    ).toEqual({
      items: [{ price: "p" }, { price: "q" }],
      expand: ["a", "b.c"],
      metadata: { k: "v w" },
      x: "",
    });
  });

  it("of any content are parsed or refused without touching a prototype", () => {
    const name = fc.stringMatching(/^[ab[\]0_%&=.]{0,20}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
        const body = pairs.map(([key, value]) => `${key}=${value}`).join("&");
        try {
          parseForm(body);
        } catch (error) {
          expect(error).toBeInstanceOf(StripeApiError);
        }
        expect({}).not.toHaveProperty("polluted");
      }),
    );
    expect(() => parseForm("a[__proto__][polluted]=1")).toThrow(StripeApiError);
  });
});
