import { formatPence } from "@/domain/brand.ts";
import { longDate } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { copyText } from "@/ui/copy-text.ts";
import { toast } from "@/ui/toast.tsx";
import { giftStrings } from "../strings.ts";
import type { Gift } from "../model/gift.ts";

const colours = { waiting: "warn", unused: "good", used: "plain", closed: "plain" } as const;

/** The gifts that one bought: their codes until they are used, then when they were. */
export function GiftList({ gifts }: { readonly gifts: readonly Gift[] }) {
  return (
    <section aria-labelledby="your-gifts" className="grid gap-4">
      <h2 id="your-gifts" className="display text-xl">
        {giftStrings.yours}
      </h2>
      {gifts.length === 0 ? <p className="text-muted">{giftStrings.noGifts}</p> : null}
      <ul className="grid gap-4">
        {gifts.map((gift) => (
          <li key={gift.id}>
            <Card className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
              <div className="grid min-w-0 gap-1">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
                  {gift.name}
                  <Badge colour={colours[gift.state]}>{giftStrings.states[gift.state]}</Badge>
                </p>
                {gift.code === null ? null : (
                  <code className="wrap-anywhere select-all">{gift.code}</code>
                )}
                <p className="tabular text-sm text-muted">
                  {gift.redeemedAt === null
                    ? giftStrings.boughtOn(formatPence(gift.amountPence), longDate(gift.boughtAt))
                    : giftStrings.usedOn(longDate(gift.redeemedAt))}
                </p>
              </div>
              {gift.code === null ? null : <CopyCode code={gift.code} name={gift.name} />}
            </Card>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CopyCode({ code, name }: { readonly code: string; readonly name: string }) {
  return (
    <Button
      variant="secondary"
      size="sm"
      aria-label={giftStrings.copyOf(name)}
      onClick={() => {
        copyText(code).then(
          () => toast.good(giftStrings.copied),
          () => toast.danger(giftStrings.notCopied),
        );
      }}
    >
      {giftStrings.copy}
    </Button>
  );
}
