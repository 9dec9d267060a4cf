import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { invitationPath } from "@/domain/paths.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { copyAddress, copyText } from "@/ui/copy-text.ts";
import { Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { TextField } from "@/ui/text-field.tsx";
import type { Affiliate } from "../model/affiliate.ts";
import { affiliateStrings, earningHeadline, earningSentence, textToShare } from "../strings.ts";

/** The member's link with copy and QR code. */
export function LinkCard({ affiliate }: { readonly affiliate: Affiliate }) {
  const link = new URL(invitationPath(affiliate.code), window.location.origin).href;
  const text = textToShare(link, affiliate.monthlyPrices);

  return (
    <Card className="grid grid-cols-1 gap-6 sm:grid-cols-[1fr_auto] sm:items-center">
      <div className="grid gap-4">
        <div className="grid gap-1">
          <h2 className="display text-2xl">
            {earningHeadline(affiliate.terms, affiliate.monthlyPrices)}
          </h2>
          <p className="max-w-prose text-muted">{earningSentence(affiliate.terms)}</p>
        </div>
        {affiliate.isOpen ? null : <Alert tone="warn">{affiliateStrings.linkClosed}</Alert>}
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 grow">
            <TextField
              label={affiliateStrings.link}
              readOnly
              value={link}
              onFocus={(event) => event.target.select()}
            />
          </div>
          <Button onClick={() => void copyAddress(link, affiliateStrings.linkCopied)}>
            <Copy aria-hidden className="size-4" />
            {affiliateStrings.copyLink}
          </Button>
        </div>
      </div>
      <LinkQrCode link={link} />
      <div className="grid gap-3 border-t border-line pt-5 sm:col-span-2">
        <h3 className="text-sm font-medium">{affiliateStrings.shareText}</h3>
        <p className="max-w-prose rounded-control bg-sunken px-4 py-3 wrap-anywhere">{text}</p>
        <Button
          variant="secondary"
          className="justify-self-start"
          onClick={() => void copyShareText(text)}
        >
          <Copy aria-hidden className="size-4" />
          {affiliateStrings.copyText}
        </Button>
      </div>
    </Card>
  );
}

async function copyShareText(text: string): Promise<void> {
  try {
    await copyText(text);
    toast.good(affiliateStrings.textCopied);
  } catch (error) {
    console.error("The text was not copied", error);
    toast.info(affiliateStrings.textNotCopied);
  }
}

/** The link as a picture for a phone's camera. The drawing library is loaded with it. */
function LinkQrCode({ link }: { readonly link: string }) {
  const { data } = useQuery({
    queryKey: ["qr-code", link],
    queryFn: async () => {
      const { toString } = await import("qrcode");
      const svg = await toString(link, { type: "svg", errorCorrectionLevel: "M", margin: 2 });
      return `data:image/svg+xml,${encodeURIComponent(svg)}`;
    },
    staleTime: Infinity,
  });
  return data === undefined ? (
    <Skeleton className="size-40 rounded-control" />
  ) : (
    <img
      src={data}
      alt={affiliateStrings.linkQrCode}
      className="size-40 rounded-control border border-line"
    />
  );
}
