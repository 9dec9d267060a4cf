import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { requestGift } from "../api/gifts.ts";
import { giftStrings } from "../strings.ts";
import type { GiftOffer } from "../model/gift.ts";
import { useRefetchGifts } from "../queries.ts";
import { OneOffPayment } from "./course-payment.tsx";

/** Chooses a plan and a length, and pays for them. */
export function BuyGift({ offers }: { readonly offers: readonly GiftOffer[] }) {
  const { client } = useBackend();
  const refetch = useRefetchGifts();
  const [planId, setPlanId] = useState(offers[0]?.planId ?? "");
  const [months, setMonths] = useState("3");
  // Names this one gift, so that a second press buys no second one.
  const [request, setRequest] = useState(() => crypto.randomUUID());
  const [isBought, setIsBought] = useState(false);
  const ofPlan = offers.filter((each) => each.planId === planId);
  const offer = ofPlan.find((each) => String(each.months) === months) ?? ofPlan[0];
  const plans = offers.filter(
    (each, index) => offers.findIndex((other) => other.planId === each.planId) === index,
  );

  return (
    <Card className="grid gap-4">
      <div className="grid gap-1">
        <h2 className="display text-xl">{giftStrings.buyTitle}</h2>
        <p className="max-w-prose text-muted">{giftStrings.buyIntro}</p>
      </div>
      {offer === undefined ? (
        <Alert tone="info">{giftStrings.noOffers}</Alert>
      ) : isBought ? (
        <Alert
          tone="good"
          action={
            <Button
              size="sm"
              variant="secondary"
              onClick={() => {
                setRequest(crypto.randomUUID());
                setIsBought(false);
              }}
            >
              {giftStrings.another}
            </Button>
          }
        >
          {giftStrings.bought}
        </Alert>
      ) : (
        <div className="grid max-w-md gap-4">
          <SelectField
            label={giftStrings.plan}
            options={plans.map((each) => ({ value: each.planId, label: each.planName }))}
            value={planId}
            onChange={({ target }) => setPlanId(target.value)}
          />
          <SelectField
            label={giftStrings.months}
            options={ofPlan.map((each) => ({
              value: String(each.months),
              label: giftStrings.monthsOf(each.months, formatPence(each.amountPence)),
            }))}
            value={String(offer.months)}
            onChange={({ target }) => setMonths(target.value)}
          />
          <OneOffPayment
            amountPence={offer.amountPence}
            request={(paymentMethodId) => requestGift(client, offer, request, paymentMethodId)}
            accepts={giftStrings.accepts}
            notBought={giftStrings.notBought}
            onRefused={refetch}
            onPaid={() => {
              setIsBought(true);
              refetch();
            }}
            onSignedOut={() => window.location.assign(paths.signIn)}
          />
        </div>
      )}
    </Card>
  );
}
