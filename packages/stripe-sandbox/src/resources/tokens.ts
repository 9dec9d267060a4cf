import type Stripe from "stripe";
import * as z from "zod";
import { StripeApiError } from "../api-errors.ts";
import { nonEmptyString } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { newObjectId } from "../ids.ts";
import { fingerprintOf } from "../objects/card-objects.ts";
import { testCardKey } from "../test-cards.ts";
import { cardParams, checkCard } from "./card-input.ts";

const createParams = z.strictObject({
  card: cardParams.extend({ name: nonEmptyString.optional() }),
});

/** `createToken` of the browser library. The API turns a token into a payment method. */
export const tokenRoutes: Route[] = [
  route(
    "POST",
    "tokens",
    createParams,
    ({ state, params, isPublic }) => {
      if (!isPublic) {
        throw new StripeApiError(402, {
          type: "invalid_request_error",
          message: "Card numbers are only taken from the browser. Use a test token instead.",
        });
      }
      const { name, ...given } = params.card;
      const details = checkCard(given, state.now());
      const { card } = details;
      const token: Stripe.Token = {
        id: newObjectId("tok"),
        object: "token",
        card: {
          id: newObjectId("card"),
          object: "card",
          address_city: null,
          address_country: null,
          address_line1: null,
          address_line1_check: null,
          address_line2: null,
          address_state: null,
          address_zip: null,
          address_zip_check: null,
          brand: card.brand,
          country: card.country,
          cvc_check: details.hasCvc ? "unchecked" : null,
          dynamic_last4: null,
          exp_month: details.expMonth,
          exp_year: details.expYear,
          fingerprint: fingerprintOf(card.number),
          funding: card.funding,
          last4: card.number.slice(-4),
          metadata: {},
          name: name ?? null,
          regulated_status: null,
          tokenization_method: null,
        },
        client_ip: null,
        created: state.now(),
        livemode: false,
        type: "card",
        used: false,
      };
      state.tables.tokens.set(token.id, token);
      state.tables.cardNotes.set(token.id, {
        testCard: testCardKey(card),
        isSetUp: false,
        isRetired: false,
      });
      return token;
    },
    true,
  ),
];
