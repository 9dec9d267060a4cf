import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { invitationPath } from "@/domain/paths.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { copyAddress } from "@/ui/copy-text.ts";
import { Skeleton } from "@/ui/skeleton.tsx";
import { TextField } from "@/ui/text-field.tsx";
import type { Affiliate } from "../model/affiliate.ts";
import { affiliateStrings, earningSentence } from "../strings.ts";

/** The member's link with copy and QR code. */
export function LinkCard({ affiliate }: { readonly affiliate: Affiliate }) {
  const link = new URL(invitationPath(affiliate.code), window.location.origin).href;

  return (
    <Card className="grid grid-cols-1 gap-6 sm:grid-cols-[1fr_auto] sm:items-center">
      <div className="grid gap-4">
        <p>{earningSentence(affiliate.terms)}</p>
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
    </Card>
  );
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
