import type { HostExtensions } from "basehost";

const stripeScripts = ["https://js.stripe.com", "https://*.js.stripe.com"];
const stripeFrames = [...stripeScripts, "https://hooks.stripe.com"];
/** Link shows itself from its own site, in a frame or a window. */
const linkSources = ["https://link.com", "https://*.link.com"];
/** Origins of the video players that the app embeds in lessons. */
const videoFrames = ["https://www.youtube-nocookie.com", "https://player.vimeo.com"];

/** What pages load from the card provider, and what they may load. */
export interface ProviderPages extends Required<
  Pick<HostExtensions, "contentSecurityPolicy" | "paymentFrames">
> {
  /** Null for the provider's own script. */
  scriptUrl: string | null;
}

/** @param sandbox address of an offline provider's pages; undefined where cards are taken for real */
export function providerPages(publicUrl: string, sandbox: string | undefined): ProviderPages {
  if (sandbox === undefined) {
    return {
      scriptUrl: null,
      contentSecurityPolicy: {
        "script-src": stripeScripts,
        "frame-src": [...stripeFrames, ...linkSources, ...videoFrames],
        "connect-src": ["https://api.stripe.com", ...linkSources],
        "img-src": ["https://*.link.com"],
      },
      paymentFrames: stripeFrames,
    };
  }
  const { origin } = new URL(sandbox);
  // A host's own sandbox is of the same origin, which pages may load from anyway.
  const others = origin === publicUrl ? [] : [origin];
  return {
    scriptUrl: `${sandbox}/v3/`,
    contentSecurityPolicy: {
      ...(others.length > 0 && { "script-src": others, "connect-src": others, "img-src": others }),
      "frame-src": [...others, ...videoFrames],
    },
    paymentFrames: [],
  };
}
